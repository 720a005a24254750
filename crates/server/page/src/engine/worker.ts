// The engine in a worker. It has the thread to itself: what takes too long is ended with its worker.
import { Engine, type Progress } from "../../../../../npm/src/engine.ts";
import type { FromWorker, ToWorker } from "./message.ts";

/** What is used of a worker's surroundings. */
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
