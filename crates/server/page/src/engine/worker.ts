// The engine in a worker, whose thread it blocks. The page stops a computation by terminating the
// worker.
import { Engine, type Progress } from "../../../../../npm/src/engine.ts";
import type { FromWorker, ToWorker } from "./message.ts";

/** The part of the global scope of a worker that is used here. */
interface Surroundings {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker): void;
}

const outside = globalThis as unknown as Surroundings;
let engine: Engine | null = null;

outside.onmessage = ({ data }) => {
  if ("module" in data) {
    engine = new Engine(data.module);
    outside.postMessage({ ready: true });
    return;
  }
  const { name, question, limits, watched } = data.wanted;
  const onProgress = watched ? (progress: Progress) => outside.postMessage({ progress }) : undefined;
  if (engine) outside.postMessage({ answer: engine.ask(name, question, limits, { onProgress }) });
};
