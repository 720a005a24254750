// Loads the files of the engine and creates its workers. The files are on the host of the page, on
// another host, or in a local folder.
import { compile } from "../../../../../npm/src/engine.ts";
import type { PoolWorker } from "./workerPool.ts";
import type { ToWorker } from "./message.ts";

export interface EngineFiles {
  /** Starts a worker that has loaded the engine. */
  startWorker(): Promise<PoolWorker>;
  /** Loads the files; rejects if they are not available. */
  load(): Promise<void>;
}

/**
 * The content of `from-disk.js`. Browsers let a local page load scripts, but neither modules nor
 * data.
 */
interface LocalFiles {
  worker: string;
  /** The engine, compressed with gzip and encoded in Base64. */
  engine: string;
}

type Global = typeof globalThis & { grundyFromDisk?: LocalFiles };

const scriptUrl = (text: string): string => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));

/** Loads a script, which sets a global variable. */
function script(url: URL): Promise<void> {
  return new Promise((resolve, reject) => {
    const element = document.createElement("script");
    element.src = url.href;
    element.onload = () => resolve();
    element.onerror = () => {
      element.remove();
      reject(new Error(url.href));
    };
    document.head.append(element);
  });
}

/** The parts of an engine: the URL of the worker script, and the compiled module. */
interface EngineParts {
  worker: Promise<string>;
  module: Promise<WebAssembly.Module>;
}

async function loadLocalFiles(folder: URL): Promise<LocalFiles> {
  await script(new URL("from-disk.js", folder));
  const found = (globalThis as Global).grundyFromDisk;
  if (!found) throw new Error("from-disk.js");
  delete (globalThis as Global).grundyFromDisk;
  return found;
}

async function unpack(engine: string): Promise<WebAssembly.Module> {
  const compressed = Uint8Array.from(atob(engine), (letter) => letter.charCodeAt(0));
  const bytes = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return compile(await new Response(bytes).arrayBuffer());
}

function fromDisk(folder: URL): EngineParts {
  const found = loadLocalFiles(folder);
  return { worker: found.then(({ worker }) => scriptUrl(worker)), module: found.then(({ engine }) => unpack(engine)) };
}

function fromHost(folder: URL): EngineParts {
  const worker = new URL("worker.js", folder).href;
  // A worker must come from the origin of the page, but the scripts that it imports may come from
  // elsewhere.
  const sameOrigin = folder.origin === location.origin;
  return {
    worker: Promise.resolve(sameOrigin ? worker : scriptUrl(`importScripts(${JSON.stringify(worker)})`)),
    module: compile(fetch(new URL("grundy.wasm", folder))),
  };
}

/** Starts a worker while the module is loading, and sends the module to it. */
async function createWorker({ worker, module }: EngineParts): Promise<PoolWorker> {
  const created = new Worker(await worker);
  try {
    const message: ToWorker = { module: await module };
    await new Promise<void>((resolve, reject) => {
      created.onmessage = () => resolve();
      created.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message));
      };
      created.postMessage(message);
    });
  } catch (error) {
    created.terminate();
    throw error;
  }
  return created as unknown as PoolWorker;
}

/**
 * Returns the engine in a folder. The files are loaded at the first request; after a failure, the
 * next request tries again.
 */
export function engineFiles(folder: URL): EngineFiles {
  let current: EngineParts | null = null;
  const loadParts = (): EngineParts => {
    if (current) return current;
    const parts = folder.protocol === "file:" ? fromDisk(folder) : fromHost(folder);
    current = parts;
    Promise.all([parts.worker, parts.module]).catch(() => {
      if (current === parts) current = null;
    });
    return parts;
  };
  return {
    startWorker: () => createWorker(loadParts()),
    load: async () => void (await Promise.all([loadParts().worker, loadParts().module])),
  };
}
