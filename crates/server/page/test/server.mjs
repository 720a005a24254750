// The server under test: the built program on a free port; or a static host where PAGE is the folder of the page without a server.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { serveFolder } from "./folder.mjs";

/** Why what a server alone does is not tried where the folder of the page without one is. */
export const NO_SERVER = process.env.PAGE ? "there is no server" : false;

const built = ["release", "debug"].map((kind) => fileURLToPath(new URL(`../../../../target/${kind}/grundy`, import.meta.url)));

export const program = process.env.GRUNDY ?? built.find((path) => existsSync(path));

/** Starts the server, with further options of it; on a port that was used before, if one is given. */
export async function serve(port = 0, options = []) {
  if (process.env.PAGE) return serveFolder(process.env.PAGE, port);
  if (!program) throw new Error("no grundy is built: cargo build --release, or set GRUNDY");
  const child = spawn(program, ["serve", "--port", String(port), "--no-open", ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (more) => {
      text += more;
      const found = /http:\/\/\S+/.exec(text);
      if (found) resolve(found[0]);
    });
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`grundy serve ended with ${code}`)));
  });
  return {
    address,
    port: Number(new URL(address).port),
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.on("exit", () => resolve());
        child.kill();
      }),
  };
}
