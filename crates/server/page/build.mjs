// Builds the page of the server into ../assets, or into the given folder.
import { copyFile, mkdir } from "node:fs/promises";
import { here, script, style, weigh } from "./bundle.mjs";

const assets = process.argv[2] ? `${process.argv[2]}/` : here("../assets/");

await mkdir(assets, { recursive: true });
await script("src/main.tsx", assets + "app.js");
await style("src/style/app.css", assets + "app.css");
await copyFile(here("src/index.html"), assets + "index.html");
await copyFile(here("src/icon.svg"), assets + "icon.svg");
await weigh(assets, ["app.js", "app.css"], true);
