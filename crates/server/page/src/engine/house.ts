// Loading of the engine and creation of its workers: from the page's host, from another host, or
// from a local folder.
import { compile } from "../../../../../npm/src/engine.ts";
import type { Hand } from "./crew.ts";
import type { ToWorker } from "./message.ts";

export interface House {
  /** Starts a worker that has loaded the engine. */
  engage(): Promise<Hand>;
  /** Loads the files; rejects if they are not available. */
  load(): Promise<void>;
}

/**
 * The content of `from-disk.js`. Browsers let a local page load scripts, but neither modules nor
 * data.
 */
interface Brought {
  worker: string;
  /** The engine, compressed with gzip and encoded in Base64. */
  engine: string;
}

type Global = typeof globalThis & { grundyFromDisk?: Brought };

const made = (text: string): string => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));

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
interface Parts {
  worker: Promise<string>;
  module: Promise<WebAssembly.Module>;
}

async function brought(folder: URL): Promise<Brought> {
  await script(new URL("from-disk.js", folder));
  const found = (globalThis as Global).grundyFromDisk;
  if (!found) throw new Error("from-disk.js");
  delete (globalThis as Global).grundyFromDisk;
  return found;
}

async function unpacked(engine: string): Promise<WebAssembly.Module> {
  const packed = Uint8Array.from(atob(engine), (letter) => letter.charCodeAt(0));
  const bytes = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return compile(await new Response(bytes).arrayBuffer());
}

function fromDisk(folder: URL): Parts {
  const found = brought(folder);
  return { worker: found.then(({ worker }) => made(worker)), module: found.then(({ engine }) => unpacked(engine)) };
}

function fromHost(folder: URL): Parts {
  const worker = new URL("worker.js", folder).href;
  // A worker must come from the origin of the page, but the scripts that it imports may come from
  // elsewhere.
  const near = folder.origin === location.origin;
  return {
    worker: Promise.resolve(near ? worker : made(`importScripts(${JSON.stringify(worker)})`)),
    module: compile(fetch(new URL("grundy.wasm", folder))),
  };
}

/** Starts a worker. It starts while the module is still loading. */
async function engaged({ worker, module }: Parts): Promise<Hand> {
  const hand = new Worker(await worker);
  try {
    const first: ToWorker = { module: await module };
    await new Promise<void>((resolve, reject) => {
      hand.onmessage = () => resolve();
      hand.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message));
      };
      hand.postMessage(first);
    });
  } catch (error) {
    hand.terminate();
    throw error;
  }
  return hand as unknown as Hand;
}

/**
 * Returns the engine in a folder. The files are loaded at the first request; after a failure, the
 * next request tries again.
 */
export function house(folder: URL): House {
  let known: Parts | null = null;
  const begun = (): Parts => {
    if (known) return known;
    const parts = folder.protocol === "file:" ? fromDisk(folder) : fromHost(folder);
    known = parts;
    Promise.all([parts.worker, parts.module]).catch(() => {
      if (known === parts) known = null;
    });
    return parts;
  };
  return {
    engage: () => engaged(begun()),
    load: async () => void (await Promise.all([begun().worker, begun().module])),
  };
}
