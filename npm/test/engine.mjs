// Shared by the tests: the compiled engine and files of the project.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Engine, compile } from "../dist/index.js";

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const text = (path) => readFileSync(root + path, "utf8");
export const module = await compile();
export const fresh = () => new Engine(module);

/** Returns the parsed answer, which may be an error. */
export const answerOf = (engine, name, question, limits, callbacks) =>
  JSON.parse(engine.ask(name, JSON.stringify(question), limits, callbacks));
