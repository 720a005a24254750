// A question that follows the state: asked when it changes, given up when it is stale.
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

/** How {@link useAsked} takes the time between two answers. */
interface Manner {
  /** Go on showing the old answer until the new one is there. */
  keep?: boolean;
}

/** What is known, and of which question. */
interface Known<N extends Name> {
  key: string | null;
  is: Asked<Questions[N]["answer"]>;
}

/** The answer to a question, or nothing while there is no question. */
export function useAsked<N extends Name>(
  name: N,
  question: Questions[N]["question"] | null,
  manner: Manner = {},
): Asked<Questions[N]["answer"]> {
  const { engine, connection, lost } = usePage();
  const key = question === null ? null : JSON.stringify(question);
  const [asked, setAsked] = useState<Known<N>>({ key: null, is: NOTHING });

  // Before anything is painted: a question that waits for the next picture on the screen is answered a picture later.
  useLayoutEffect(() => {
    if (question === null) {
      setAsked((before) => (before.key === null ? before : { key: null, is: NOTHING }));
      return;
    }
    const stop = new AbortController();
    // The same question once more; of another one the old answer says itself, below, that it is not its own.
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
    // Asked again only when the question is another, or the engine came back.
  }, [name, key, engine, connection]);

  // An answer never stands beside a question that it does not belong to.
  if (asked.key !== key) {
    return { answer: manner.keep && key !== null ? asked.is.answer : null, trouble: null, pending: key !== null };
  }
  return asked.is;
}

export function troubleOf(error: unknown): Trouble {
  if (error instanceof EngineError) return error.trouble;
  return { kind: "internal", message: String(error) };
}

/** Asks once, from an event; tells the page where nobody answers. */
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
