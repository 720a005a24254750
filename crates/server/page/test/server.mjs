// The server under test: the program on a free port, or a static host if PAGE is the folder of the
// page without a server.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { serveFolder } from "./folder.mjs";

/** The reason for skipping tests of the server with the static page; `false` otherwise. */
export const NO_SERVER = process.env.PAGE ? "there is no server" : false;

const built = ["release", "debug"].map((kind) => fileURLToPath(new URL(`../../../../target/${kind}/grundy`, import.meta.url)));

export const program = process.env.GRUNDY ?? built.find((path) => existsSync(path));

/** Starts the server with additional options, on the given port if there is one. */
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
