// Requests that follow the state: sent when it changes, aborted when they are stale.
import { useLayoutEffect, useState } from "preact/hooks";
import type { Name, Questions, Trouble } from "../engine/answers.ts";
import { type Engine, EngineError, isAbort } from "../engine/engine.ts";
import { usePage } from "./page.ts";
import { requestStarted, batched } from "./batching.ts";

export interface RequestState<A> {
  answer: A | null;
  trouble: Trouble | null;
  pending: boolean;
}

export const NO_REQUEST: RequestState<never> = { answer: null, trouble: null, pending: false };

/** Options of {@link useRequest}. */
interface RequestOptions {
  /** If true, the old answer is kept until the new one arrives. */
  keep?: boolean;
}

/** A result, with the key of its request. */
interface KeyedState<N extends Name> {
  key: string | null;
  state: RequestState<Questions[N]["answer"]>;
}

/** Returns the answer to a request; nothing while the request is `null`. */
export function useRequest<N extends Name>(
  name: N,
  question: Questions[N]["question"] | null,
  options: RequestOptions = {},
): RequestState<Questions[N]["answer"]> {
  const { engine, connection, reportOffline } = usePage();
  const key = question === null ? null : JSON.stringify(question);
  const [stored, setStored] = useState<KeyedState<N>>({ key: null, state: NO_REQUEST });

  // A layout effect runs before the browser paints. A normal effect would run after it, and delay
  // the request by one frame.
  useLayoutEffect(() => {
    if (question === null) {
      setStored((before) => (before.key === null ? before : { key: null, state: NO_REQUEST }));
      return;
    }
    const stop = new AbortController();
    // A retry of the same request keeps its answer. The answer to another request is filtered out
    // below.
    setStored((before) => (before.key === key ? { key, state: { answer: before.state.answer, trouble: null, pending: true } } : before));
    const requestEnded = requestStarted();
    const update = (next: (before: KeyedState<N>) => KeyedState<N>) => {
      batched(() => {
        if (!stop.signal.aborted) setStored(next);
      });
      requestEnded();
    };
    engine.ask(name, question, stop.signal).then(
      (answer) => update(() => ({ key, state: { answer, trouble: null, pending: false } })),
      (error: unknown) => {
        if (stop.signal.aborted || isAbort(error)) return requestEnded();
        const trouble = troubleOf(error);
        if (trouble.kind === "offline") reportOffline();
        update((before) => ({ key, state: { answer: options.keep ? before.state.answer : null, trouble, pending: false } }));
      },
    );
    return () => {
      stop.abort();
      requestEnded();
    };
    // Only a change of the request, or a recovered connection, sends it again.
  }, [name, key, engine, connection]);

  // An answer is never shown with a request to which it does not belong.
  if (stored.key !== key) {
    return { answer: options.keep && key !== null ? stored.state.answer : null, trouble: null, pending: key !== null };
  }
  return stored.state;
}

export function troubleOf(error: unknown): Trouble {
  if (error instanceof EngineError) return error.trouble;
  return { kind: "internal", message: String(error) };
}

/** Sends one request from an event handler, and reports a lost connection. */
export async function askOnce<N extends Name>(
  engine: Engine,
  reportOffline: () => void,
  name: N,
  question: Questions[N]["question"],
  signal: AbortSignal,
): Promise<{ answer: Questions[N]["answer"] } | { trouble: Trouble } | null> {
  try {
    const answer = await engine.ask(name, question, signal);
    return signal.aborted ? null : { answer };
  } catch (error) {
    if (signal.aborted || isAbort(error)) return null;
    const trouble = troubleOf(error);
    if (trouble.kind === "offline") reportOffline();
    return { trouble };
  }
}
