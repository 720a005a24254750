// The engine as WebAssembly: the text of a question in, the text of an answer out, on the thread of whoever asks.

/** What one answer may use. */
export interface Limits {
  /** Seconds that it may take at most, whatever the question says. */
  seconds?: number;
  /** Positions that may be kept. */
  positions?: number;
  /** Bytes that may be held. */
  memory?: number;
}

/** How far long work has come. */
export interface Progress {
  text: string;
  done?: number;
  of?: number;
}

/** Somebody who watches while an answer is sought. */
export interface Watching {
  /** Is told some ten times a second how far the work is, where it takes long enough. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Is asked some hundred times a second whether the work is to end. */
  aborted?: (() => boolean) | undefined;
}

/** Where the module comes from: its address, what was fetched from there, its bytes, or itself. */
export type Source = string | URL | Response | PromiseLike<Response> | BufferSource | WebAssembly.Module;

export const LIMITS: Required<Limits> = { seconds: 10, positions: 20_000_000, memory: 2 ** 30 };

/** Files by their names. */
export type Files = Record<string, string>;

/** An instance whose memory has grown beyond this is not kept for the next question: memory is never given back otherwise. */
const KEPT = 128 * 2 ** 20;

interface Exports {
  memory: WebAssembly.Memory;
  room(length: number): number;
  file(name: number): void;
  written(part: number): number;
  ask(name: number, seconds: number, positions: number, memory: number, told: number): void;
  failed(how: number, language: number): void;
  answer(): number;
  answer_length(): number;
  exhausted(): number;
}

/** What `host.tell` is told. */
const PROGRESS = 0;

/** How an instance came to its end. */
const DEFECT = 0;
const MEMORY = 1;
const STACK = 2;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** One instance of the module, and who watches it. */
class Instance {
  readonly exports: Exports;
  #begun = 0;
  #watching: Watching = {};
  /** What a listener threw, which ends the work. */
  #thrown: { error: unknown } | null = null;
  #lastWords = "";

  constructor(module: WebAssembly.Module) {
    const host = {
      time: () => this.#time(),
      tell: (what: number, at: number, length: number) => this.#tell(what, this.#text(at >>> 0, length >>> 0)),
    };
    this.exports = new WebAssembly.Instance(module, { host }).exports as unknown as Exports;
  }

  #time(): number {
    if (this.#thrown || this.#watching.aborted?.()) return -1;
    return performance.now() - this.#begun;
  }

  #tell(what: number, text: string): void {
    if (what !== PROGRESS) {
      this.#lastWords = text;
      return;
    }
    if (this.#thrown) return;
    try {
      this.#watching.onProgress?.(JSON.parse(text) as Progress);
    } catch (error) {
      this.#thrown = { error };
    }
  }

  #text(at: number, length: number): string {
    return decoder.decode(new Uint8Array(this.exports.memory.buffer, at, length));
  }

  /** Puts bytes where the module finds them. */
  put(bytes: Uint8Array): boolean {
    const room = this.#room(bytes.length);
    room?.set(bytes);
    return room !== null;
  }

  /** Puts a name and a text there, one after the other. */
  #named(name: Uint8Array, text: string): boolean {
    // Most texts have a byte for each character: then nothing of them is copied on the way.
    const room = this.#room(name.length + text.length);
    if (room === null) return false;
    room.set(name);
    if (encoder.encodeInto(text, room.subarray(name.length)).read === text.length) return true;
    const asked = encoder.encode(text);
    const bytes = new Uint8Array(name.length + asked.length);
    bytes.set(name);
    bytes.set(asked, name.length);
    return this.put(bytes);
  }

  /** Room for so many bytes, where the module finds them. */
  #room(length: number): Uint8Array | null {
    const at = this.exports.room(length) >>> 0;
    return at === 0 ? null : new Uint8Array(this.exports.memory.buffer, at, length);
  }

  #answer(): string {
    return this.#text(this.exports.answer() >>> 0, this.exports.answer_length() >>> 0);
  }

  /** The answer that is there, which is there no longer. */
  take(): string {
    const answer = this.#answer();
    this.exports.room(0);
    return answer;
  }

  ask(name: string, text: string, limits: Required<Limits>, watching: Watching, files: Files | null): string {
    this.#begun = performance.now();
    this.#watching = watching;
    for (const [name, contents] of Object.entries(files ?? {})) {
      const called = encoder.encode(name);
      if (!this.#named(called, contents)) throw new Failure(MEMORY, "");
      this.exports.file(called.length);
    }
    const called = encoder.encode(name);
    if (!this.#named(called, text)) throw new Failure(MEMORY, "");
    try {
      const told = watching.onProgress ? 1 : 0;
      this.exports.ask(called.length, limits.seconds, limits.positions, limits.memory, told);
    } catch (error) {
      throw new Failure(this.#how(error), this.#lastWords || String(error));
    } finally {
      this.#watching = {};
    }
    const answer = this.#answer();
    if (files) {
      for (const name of Object.keys(files)) delete files[name];
      while (this.exports.written(0)) {
        const name = this.#answer();
        this.exports.written(1);
        files[name] = this.#answer();
      }
    }
    this.exports.room(0);
    if (this.#thrown) {
      const { error } = this.#thrown;
      this.#thrown = null;
      throw error;
    }
    return answer;
  }

  /** How a question has brought this instance down. */
  #how(error: unknown): number {
    if (this.exports.exhausted()) return MEMORY;
    // The stack of the machine, by whatever name the browser calls its end.
    return error instanceof WebAssembly.RuntimeError ? DEFECT : STACK;
  }

  /** Small enough to be kept. */
  get small(): boolean {
    return this.exports.memory.buffer.byteLength <= KEPT;
  }
}

/** A question has brought an instance down. */
class Failure {
  readonly how: number;
  readonly said: string;

  constructor(how: number, said: string) {
    this.how = how;
    this.said = said;
  }
}

/** Reads and compiles the module, which is asked for beside this file where nothing is said. */
export async function compile(source: Source = new URL("grundy.wasm", import.meta.url)): Promise<WebAssembly.Module> {
  const found = await source;
  if (found instanceof WebAssembly.Module) return found;
  if (typeof found === "string" || found instanceof URL) {
    const url = new URL(found, import.meta.url);
    if (url.protocol !== "file:" || !("process" in globalThis)) return compile(await fetch(url));
    const files = (await import(/* @vite-ignore */ /* webpackIgnore: true */ "node:" + "fs/promises")) as {
      readFile(url: URL): Promise<Uint8Array<ArrayBuffer>>;
    };
    return WebAssembly.compile(await files.readFile(url));
  }
  if (!(found instanceof Response)) return WebAssembly.compile(found);
  if (!found.ok) throw new Error(`${found.url}: HTTP ${found.status}`);
  // Not every host says what it serves.
  const streamed = found.headers.get("Content-Type")?.startsWith("application/wasm") ?? false;
  return streamed ? WebAssembly.compileStreaming(found) : WebAssembly.compile(await found.arrayBuffer());
}

/** The engine. Questions are answered one after the other, each as if it were the first. */
export class Engine {
  readonly module: WebAssembly.Module;
  #idle: Instance | null = null;

  constructor(module: WebAssembly.Module) {
    this.module = module;
  }

  /**
   * The answer to the question of a name, both objects in JSON; an object with the key `error` where there is none. Whatever goes wrong in
   * the module is such an object too, and the next question is answered by a fresh instance. Long files may come beside the question instead of
   * within it: then those that the answer wrote are put in their places.
   */
  ask(name: string, question: string, limits: Limits = {}, watching: Watching = {}, files: Files | null = null): string {
    // Who is told of progress may ask something else meanwhile.
    const instance = this.#idle ?? new Instance(this.module);
    this.#idle = null;
    const keep = () => {
      if (instance.small) this.#idle = instance;
    };
    const within = { ...LIMITS, ...limits };
    try {
      const answer = instance.ask(name, question, within, watching, files);
      keep();
      return answer;
    } catch (failure) {
      if (!(failure instanceof Failure)) {
        keep();
        throw failure;
      }
      return this.#failed(failure, /"lang"\s*:\s*"zh"/.test(question));
    }
  }

  /** What a fresh instance says of the end of another. */
  #failed({ how, said }: Failure, chinese: boolean): string {
    const fresh = new Instance(this.module);
    fresh.put(encoder.encode(said));
    fresh.exports.failed(how, chinese ? 1 : 0);
    const answer = fresh.take();
    this.#idle = fresh;
    return answer;
  }
}
