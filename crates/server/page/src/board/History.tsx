// The history of moves, as text.
import { useRef } from "preact/hooks";
import { matchKeys, usePage, useMatch } from "../state/page.ts";
import { goToMove } from "../state/state.ts";
import { useRequest } from "../state/request.ts";
import { pastMoveWords } from "./matchWords.ts";
import { Strip } from "./Strip.tsx";

export function History() {
  const { state, view, change, say } = usePage();
  const { analysis, board } = useMatch();
  const answer = board.answer;
  const made = answer?.made ?? [];
  // In a match against the program the outcomes stay hidden until the end.
  const open = view.marks && made.length > 0;
  // The history is reviewed only after the analysis of the current board has settled. Otherwise the
  // review would delay the analysis that the reader waits for.
  const settled = useRef(matchKeys(state));
  if (!board.pending && !analysis.pending) settled.current = matchKeys(state);
  const review = useRequest("review", open ? settled.current : null, { keep: true });
  if (!answer || made.length === 0) return null;
  return (
    <section class="history" aria-label={say("history")}>
      <h2>{say("history")}</h2>
      {open && review.answer && <Strip review={review.answer} go={(at) => change((now) => goToMove(now, at))} now={state.at} />}
      <ol>
        {made.map((move, index) => (
          <li key={index}>
            <button type="button" class="link" aria-current={index + 1 === state.at ? "step" : undefined} onClick={() => change((now) => goToMove(now, index + 1))}>
              {pastMoveWords(move, answer, say)}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
