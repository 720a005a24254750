// Requests that follow the state: sent when it changes, aborted when they are stale.
import { useLayoutEffect, useState } from "preact/hooks";
import type { Name, Questions, Trouble } from "../engine/answers.ts";
import { type Engine, EngineError, aborted } from "../engine/engine.ts";
import { usePage } from "./page.ts";
import { expecting, together } from "./together.ts";

export interface Asked<A> {
  answer: A | null;
  trouble: Trouble | null;
  pending: boolean;
}

export const NOTHING: Asked<never> = { answer: null, trouble: null, pending: false };

/** Options of {@link useAsked}. */
interface Manner {
  /** If true, the old answer is kept until the new one arrives. */
  keep?: boolean;
}

/** A result, with the key of its request. */
interface Known<N extends Name> {
  key: string | null;
  is: Asked<Questions[N]["answer"]>;
}

/** Returns the answer to a request; nothing while the request is `null`. */
export function useAsked<N extends Name>(
  name: N,
  question: Questions[N]["question"] | null,
  manner: Manner = {},
): Asked<Questions[N]["answer"]> {
  const { engine, connection, lost } = usePage();
  const key = question === null ? null : JSON.stringify(question);
  const [asked, setAsked] = useState<Known<N>>({ key: null, is: NOTHING });

  // A layout effect runs before the browser paints. A normal effect would run after it, and delay
  // the request by one frame.
  useLayoutEffect(() => {
    if (question === null) {
      setAsked((before) => (before.key === null ? before : { key: null, is: NOTHING }));
      return;
    }
    const stop = new AbortController();
    // A retry of the same request keeps its answer. The answer to another request is filtered out
    // below.
    setAsked((before) => (before.key === key ? { key, is: { answer: before.is.answer, trouble: null, pending: true } } : before));
    const ended = expecting();
    const show = (next: (before: Known<N>) => Known<N>) => {
      together(() => {
        if (!stop.signal.aborted) setAsked(next);
      });
      ended();
    };
    engine.ask(name, question, stop.signal).then(
      (answer) => show(() => ({ key, is: { answer, trouble: null, pending: false } })),
      (error: unknown) => {
        if (stop.signal.aborted || aborted(error)) return ended();
        const trouble = troubleOf(error);
        if (trouble.kind === "offline") lost();
        show((before) => ({ key, is: { answer: manner.keep ? before.is.answer : null, trouble, pending: false } }));
      },
    );
    return () => {
      stop.abort();
      ended();
    };
    // Only a change of the request, or a recovered connection, sends it again.
  }, [name, key, engine, connection]);

  // An answer is never shown with a request to which it does not belong.
  if (asked.key !== key) {
    return { answer: manner.keep && key !== null ? asked.is.answer : null, trouble: null, pending: key !== null };
  }
  return asked.is;
}

export function troubleOf(error: unknown): Trouble {
  if (error instanceof EngineError) return error.trouble;
  return { kind: "internal", message: String(error) };
}

/** Sends one request from an event handler, and reports a lost connection. */
export async function askOnce<N extends Name>(
  engine: Engine,
  lost: () => void,
  name: N,
  question: Questions[N]["question"],
  signal: AbortSignal,
): Promise<{ answer: Questions[N]["answer"] } | { trouble: Trouble } | null> {
  try {
    const answer = await engine.ask(name, question, signal);
    return signal.aborted ? null : { answer };
  } catch (error) {
    if (signal.aborted || aborted(error)) return null;
    const trouble = troubleOf(error);
    if (trouble.kind === "offline") lost();
    return { trouble };
  }
}
