// The engine as a WebAssembly module: takes a JSON request, returns a JSON answer, and blocks the
// calling thread meanwhile.

/** Limits for one request. */
export interface Limits {
  /** The time limit in seconds. A larger one in the request has no effect. */
  seconds?: number;
  /** The maximum number of positions stored. */
  positions?: number;
  /** The maximum number of bytes allocated. */
  memory?: number;
}

/** The progress of a long computation. */
export interface Progress {
  text: string;
  done?: number;
  of?: number;
}

/** The callbacks of a request. */
export interface Callbacks {
  /** Called about ten times a second with the progress of a long computation. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Called about a hundred times a second; the computation stops if it returns `true`. */
  aborted?: (() => boolean) | undefined;
}

/**
 * A source of the module: its URL, a response that contains it, its bytes, or the compiled module.
 */
export type Source = string | URL | Response | PromiseLike<Response> | BufferSource | WebAssembly.Module;

export const LIMITS: Required<Limits> = { seconds: 10, positions: 20_000_000, memory: 2 ** 30 };

/** The contents of files, by name. */
export type Files = Record<string, string>;

/**
 * The size of memory in bytes above which an instance is dropped after a request. WebAssembly
 * memory never shrinks, so dropping the instance is the only way to free it.
 */
const MAX_KEPT_BYTES = 128 * 2 ** 20;

interface Exports {
  memory: WebAssembly.Memory;
  room(length: number): number;
  file(name: number): void;
  written(part: number): number;
  ask(name: number, seconds: number, positions: number, memory: number, reportsProgress: number): void;
  failed(reason: number, language: number): void;
  answer(): number;
  answer_length(): number;
  exhausted(): number;
}

/** The kind of a message of `host.tell` that reports progress. */
const PROGRESS = 0;

/** Reasons for the failure of an instance. */
const DEFECT = 0;
const MEMORY = 1;
const STACK = 2;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An instance of the module, and the callbacks of the current request. */
class Instance {
  readonly exports: Exports;
  #started = 0;
  #callbacks: Callbacks = {};
  /**
   * An exception thrown by a callback. It cannot pass through the module, so it is kept here and
   * rethrown after the request has stopped.
   */
  #callbackError: { error: unknown } | null = null;
  #panicMessage = "";

  constructor(module: WebAssembly.Module) {
    const host = {
      time: () => this.#time(),
      tell: (kind: number, at: number, length: number) => this.#onMessage(kind, this.#text(at >>> 0, length >>> 0)),
    };
    this.exports = new WebAssembly.Instance(module, { host }).exports as unknown as Exports;
  }

  #time(): number {
    if (this.#callbackError || this.#callbacks.aborted?.()) return -1;
    return performance.now() - this.#started;
  }

  #onMessage(kind: number, text: string): void {
    if (kind !== PROGRESS) {
      this.#panicMessage = text;
      return;
    }
    if (this.#callbackError) return;
    try {
      this.#callbacks.onProgress?.(JSON.parse(text) as Progress);
    } catch (error) {
      this.#callbackError = { error };
    }
  }

  #text(at: number, length: number): string {
    return decoder.decode(new Uint8Array(this.exports.memory.buffer, at, length));
  }

  /**
   * Copies bytes into the input buffer of the module. Returns `false` if its memory is exhausted.
   */
  put(bytes: Uint8Array): boolean {
    const buffer = this.#allocateInput(bytes.length);
    buffer?.set(bytes);
    return buffer !== null;
  }

  /** Copies a name, followed by a text, into the input buffer of the module. */
  #putNamed(name: Uint8Array, text: string): boolean {
    // Most texts are ASCII, with one byte for each character. `encodeInto` then writes directly
    // into the module, without a copy. Otherwise the buffer is too small and the text is encoded
    // separately.
    const buffer = this.#allocateInput(name.length + text.length);
    if (buffer === null) return false;
    buffer.set(name);
    if (encoder.encodeInto(text, buffer.subarray(name.length)).read === text.length) return true;
    const encodedText = encoder.encode(text);
    const bytes = new Uint8Array(name.length + encodedText.length);
    bytes.set(name);
    bytes.set(encodedText, name.length);
    return this.put(bytes);
  }

  /** Allocates the input buffer of the module; `null` if its memory is exhausted. */
  #allocateInput(length: number): Uint8Array | null {
    const at = this.exports.room(length) >>> 0;
    return at === 0 ? null : new Uint8Array(this.exports.memory.buffer, at, length);
  }

  #answer(): string {
    return this.#text(this.exports.answer() >>> 0, this.exports.answer_length() >>> 0);
  }

  /** Returns the current answer and frees it. */
  takeAnswer(): string {
    const answer = this.#answer();
    this.exports.room(0);
    return answer;
  }

  ask(name: string, text: string, limits: Required<Limits>, callbacks: Callbacks, files: Files | null): string {
    this.#started = performance.now();
    this.#callbacks = callbacks;
    for (const [name, contents] of Object.entries(files ?? {})) {
      const encodedName = encoder.encode(name);
      if (!this.#putNamed(encodedName, contents)) throw new Failure(MEMORY, "");
      this.exports.file(encodedName.length);
    }
    const encodedName = encoder.encode(name);
    if (!this.#putNamed(encodedName, text)) throw new Failure(MEMORY, "");
    try {
      const reportsProgress = callbacks.onProgress ? 1 : 0;
      this.exports.ask(encodedName.length, limits.seconds, limits.positions, limits.memory, reportsProgress);
    } catch (error) {
      throw new Failure(this.#failureReason(error), this.#panicMessage || String(error));
    } finally {
      this.#callbacks = {};
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
    if (this.#callbackError) {
      const { error } = this.#callbackError;
      this.#callbackError = null;
      throw error;
    }
    return answer;
  }

  /** Returns the reason for a failure of this instance. */
  #failureReason(error: unknown): number {
    if (this.exports.exhausted()) return MEMORY;
    // Browsers throw different errors for a stack overflow, but none of them is a `RuntimeError`.
    return error instanceof WebAssembly.RuntimeError ? DEFECT : STACK;
  }

  /** `true` if the memory is small enough to keep the instance. */
  get small(): boolean {
    return this.exports.memory.buffer.byteLength <= MAX_KEPT_BYTES;
  }
}

/** The failure of an instance during a request. */
class Failure {
  readonly reason: number;
  readonly message: string;

  constructor(reason: number, message: string) {
    this.reason = reason;
    this.message = message;
  }
}

/** Loads and compiles the module, by default from the file next to this one. */
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
  // `compileStreaming` requires this content type, which some hosts do not send.
  const streamed = found.headers.get("Content-Type")?.startsWith("application/wasm") ?? false;
  return streamed ? WebAssembly.compileStreaming(found) : WebAssembly.compile(await found.arrayBuffer());
}

/** The engine. It answers one request after another, without state between them. */
export class Engine {
  readonly module: WebAssembly.Module;
  #idle: Instance | null = null;

  constructor(module: WebAssembly.Module) {
    this.module = module;
  }

  /**
   * Answers a request of the given name. The request and the answer are JSON objects; an error is
   * an object with the key `error`. If the module fails, the answer is an error too, and the next
   * request gets a new instance. Long files can be passed in `files` instead of the request; the
   * files that the answer writes then replace them.
   */
  ask(name: string, question: string, limits: Limits = {}, callbacks: Callbacks = {}, files: Files | null = null): string {
    // A progress callback may send another request. Taking the instance out of `#idle` makes that
    // request use a new one.
    const instance = this.#idle ?? new Instance(this.module);
    this.#idle = null;
    const keep = () => {
      if (instance.small) this.#idle = instance;
    };
    const effectiveLimits = { ...LIMITS, ...limits };
    try {
      const answer = instance.ask(name, question, effectiveLimits, callbacks, files);
      keep();
      return answer;
    } catch (failure) {
      if (!(failure instanceof Failure)) {
        keep();
        throw failure;
      }
      return this.#formatFailure(failure, /"lang"\s*:\s*"zh"/.test(question));
    }
  }

  /** Returns the JSON error for a failure of an instance, formatted by a new instance. */
  #formatFailure({ reason, message }: Failure, chinese: boolean): string {
    const fresh = new Instance(this.module);
    fresh.put(encoder.encode(message));
    fresh.exports.failed(reason, chinese ? 1 : 0);
    const answer = fresh.takeAnswer();
    this.#idle = fresh;
    return answer;
  }
}
