// The engine in a worker, whose thread it blocks. The page stops a computation by terminating the
// worker.
import { Engine, type Progress } from "../../../../../npm/src/engine.ts";
import type { FromWorker, ToWorker } from "./message.ts";

/** The part of the global scope of a worker that is used here. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker): void;
}

const scope = globalThis as unknown as WorkerScope;
let engine: Engine | null = null;

scope.onmessage = ({ data }) => {
  if ("module" in data) {
    engine = new Engine(data.module);
    scope.postMessage({ ready: true });
    return;
  }
  const { name, question, limits, reportProgress } = data.request;
  const onProgress = reportProgress ? (progress: Progress) => scope.postMessage({ progress }) : undefined;
  if (engine) scope.postMessage({ answer: engine.ask(name, question, limits, { onProgress }) });
};
