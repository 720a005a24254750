// What the tests share: the engine as it was built, and files of the project.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Engine, compile } from "../dist/index.js";

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const text = (path) => readFileSync(root + path, "utf8");
export const module = await compile();
export const fresh = () => new Engine(module);

/** An answer, or an error object. */
export const asked = (engine, name, question, limits, watching) =>
  JSON.parse(engine.ask(name, JSON.stringify(question), limits, watching));
