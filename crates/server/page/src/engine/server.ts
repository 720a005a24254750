// The engine of `grundy serve`: requests by POST, long computations as jobs with server-sent
// events.
import type { Name, Questions, Trouble } from "./answers.ts";
import { PAGE_KEYS, type Engine, EngineError, type Progress, requireResults, offlineError } from "./engine.ts";
import { parseJson } from "./json.ts";

const API = "api/v1/";
/** The number of attempts while the server is busy. */
const MAX_ATTEMPTS = 4;

const delay = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new DOMException("", "AbortError"));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });

function troubleIn(answer: unknown): Trouble | null {
  if (typeof answer !== "object" || answer === null || !("error" in answer)) return null;
  return (answer as { error: Trouble }).error;
}

async function post(path: string, body: unknown, signal: AbortSignal): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    let status: number;
    let text: string;
    let wait: number;
    try {
      const response = await fetch(API + path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
        signal,
      });
      status = response.status;
      wait = Number(response.headers.get("Retry-After") ?? "1");
      text = await response.text();
    } catch (error) {
      if (signal.aborted) throw error;
      throw offlineError();
    }
    if (status === 429 && attempt < MAX_ATTEMPTS) {
      await delay(Math.min(Math.max(wait, 0.2), 5) * 1000, signal);
      continue;
    }
    let answer: unknown;
    try {
      answer = parseJson(text);
    } catch {
      throw status >= 502 && status <= 504 ? offlineError() : new EngineError({ kind: "internal", message: `HTTP ${status}` });
    }
    const trouble = troubleIn(answer);
    if (trouble) throw new EngineError(trouble);
    if (status >= 400) throw new EngineError({ kind: "internal", message: `HTTP ${status}` });
    return answer;
  }
}

/** Receives the events of a job until its end. */
function listen(job: string, progress: (progress: Progress) => void, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const events = new EventSource(`${API}jobs/${encodeURIComponent(job)}/events`);
    const end = () => {
      events.close();
      signal.removeEventListener("abort", cancel);
    };
    const cancel = () => {
      end();
      void fetch(`${API}jobs/${encodeURIComponent(job)}`, { method: "DELETE" }).catch(() => undefined);
      reject(new DOMException("", "AbortError"));
    };
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    events.addEventListener("progress", (event) => progress(parseJson(event.data) as Progress));
    events.addEventListener("answer", (event) => {
      end();
      resolve(parseJson(event.data));
    });
    events.addEventListener("failed", (event) => {
      end();
      const answer = parseJson(event.data);
      reject(new EngineError(troubleIn(answer) ?? (answer as Trouble)));
    });
    events.addEventListener("error", () => {
      // The browser reconnects after a lost connection, but not after a rejected one.
      if (events.readyState !== EventSource.CLOSED) return;
      end();
      reject(offlineError());
    });
  });
}

export const server: Engine = {
  words: { offline: "offline", offline_here: "offline_here" },
  tables: true,

  async ask<N extends Name>(name: N, question: Questions[N]["question"], signal: AbortSignal) {
    return requireResults(name, await post(name, { ...PAGE_KEYS, ...question }, signal)) as Questions[N]["answer"];
  },

  async job<N extends Name>(
    name: N,
    question: Questions[N]["question"],
    progress: (progress: Progress) => void,
    signal: AbortSignal,
  ) {
    const started = (await post("jobs", { command: name, ...PAGE_KEYS, ...question }, signal)) as { job: string };
    return requireResults(name, await listen(started.job, progress, signal)) as Questions[N]["answer"];
  },

  async alive(signal: AbortSignal) {
    try {
      return (await fetch("healthz", { signal, cache: "no-store" })).ok;
    } catch {
      return false;
    }
  },
};
