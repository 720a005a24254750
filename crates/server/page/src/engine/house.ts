// Where the engine's files are and how a worker is made of them: beside the page, on another host, or in a folder opened from the disk.
import { compile } from "../../../../../npm/src/engine.ts";
import type { Hand } from "./crew.ts";
import type { ToWorker } from "./message.ts";

export interface House {
  /** A worker that has the engine. */
  engage(): Promise<Hand>;
  /** Fails where the files are not to be had. */
  load(): Promise<void>;
}

/** What `from-disk.js` brings: browsers let a page from the disk read scripts, but neither modules nor data. */
interface Brought {
  worker: string;
  /** The engine, packed and in letters. */
  engine: string;
}

type Global = typeof globalThis & { grundyFromDisk?: Brought };

const made = (text: string): string => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));

/** Reads a script that leaves something behind. */
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

/** What an engine consists of: the address of the worker's script, and the compiled module. */
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
  // A worker has to come from the page's own host; a script that it reads may come from elsewhere.
  const near = folder.origin === location.origin;
  return {
    worker: Promise.resolve(near ? worker : made(`importScripts(${JSON.stringify(worker)})`)),
    module: compile(fetch(new URL("grundy.wasm", folder))),
  };
}

/** The worker begins while the module is still on its way. */
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

/** The engine whose files lie in a folder; they are read when it is first asked for, and once more where that was in vain. */
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
