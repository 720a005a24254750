// The moves made, as text.
import { useRef } from "preact/hooks";
import { played, usePage, useTable } from "../state/page.ts";
import { stepped } from "../state/state.ts";
import { useAsked } from "../state/asked.ts";
import { moveWords } from "./told.ts";
import { Strip } from "./Strip.tsx";

export function History() {
  const { state, view, change, say } = usePage();
  const { analysis, board } = useTable();
  const answer = board.answer;
  const made = answer?.made ?? [];
  // In a game against the program the outcomes are told at its end, in the view.
  const open = view.marks && made.length > 0;
  // The moves that were made are judged when those that can be made are: who has just moved waits for these.
  const settled = useRef(played(state));
  if (!board.pending && !analysis.pending) settled.current = played(state);
  const review = useAsked("review", open ? settled.current : null, { keep: true });
  if (!answer || made.length === 0) return null;
  return (
    <section class="history" aria-label={say("history")}>
      <h2>{say("history")}</h2>
      {open && review.answer && <Strip review={review.answer} go={(at) => change((now) => stepped(now, at))} now={state.at} />}
      <ol>
        {made.map((move, index) => (
          <li key={index}>
            <button type="button" class="link" aria-current={index + 1 === state.at ? "step" : undefined} onClick={() => change((now) => stepped(now, index + 1))}>
              {moveWords(move, answer, say)}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
