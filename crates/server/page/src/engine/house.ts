// Where the engine's files are and how a worker is made of them: beside the page, on another host, or in a folder opened from the disk.
import { compile } from "../../../../../npm/src/engine.ts";
import type { Hand } from "./crew.ts";
import type { ToWorker } from "./message.ts";

export interface House {
  engage(): Hand;
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

async function fromDisk(folder: URL): Promise<{ module: WebAssembly.Module; worker: string }> {
  await script(new URL("from-disk.js", folder));
  const brought = (globalThis as Global).grundyFromDisk;
  if (!brought) throw new Error("from-disk.js");
  delete (globalThis as Global).grundyFromDisk;
  const packed = Uint8Array.from(atob(brought.engine), (letter) => letter.charCodeAt(0));
  const bytes = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  return { module: await compile(await bytes), worker: made(brought.worker) };
}

async function fromHost(folder: URL): Promise<{ module: WebAssembly.Module; worker: string }> {
  const worker = new URL("worker.js", folder).href;
  const module = await compile(fetch(new URL("grundy.wasm", folder)));
  // A worker has to come from the page's own host; a script that it reads may come from elsewhere.
  const near = folder.origin === location.origin;
  return { module, worker: near ? worker : made(`importScripts(${JSON.stringify(worker)})`) };
}

export async function house(folder: URL): Promise<House> {
  const { module, worker } = await (folder.protocol === "file:" ? fromDisk(folder) : fromHost(folder));
  return {
    engage() {
      const hand = new Worker(worker);
      const first: ToWorker = { module };
      hand.postMessage(first);
      return hand as unknown as Hand;
    },
  };
}
