// The list of moves as buttons. A move that has no place in the picture can only be made here.
import { useEffect, useState } from "preact/hooks";
import type { JudgedMove, Move } from "../engine/answers.ts";
import { glyph, outcomePhrase, standingWord, tintOfStanding } from "../outcome.ts";
import { usePage, useMatch } from "../state/page.ts";
import { nextMoveWords } from "./matchWords.ts";

const SHORT_LIST = 40;

interface Props {
  moves: Move[];
  complete: boolean;
  judged: Map<string, JudgedMove>;
  active: boolean;
}

export function MoveList({ moves, complete, judged, active }: Props) {
  const { say } = usePage();
  const { prefetch, play, highlight, highlighted, board } = useMatch();
  const [all, setAll] = useState(false);
  useEffect(() => setAll(false), [moves]);
  const answer = board.answer;
  if (!answer || moves.length === 0) return null;
  const shown = all ? moves : moves.slice(0, SHORT_LIST);
  return (
    <section class="moves" role="group" aria-label={say("moves")}>
      <h2>{say("moves_heading", { count: complete ? moves.length : `${moves.length}+` })}</h2>
      <ul>
        {shown.map((move) => {
          const judgedMove = judged.get(move.write);
          const tint = tintOfStanding(judgedMove?.for_mover);
          return (
            <li key={move.write}>
              <button
                type="button"
                class={`move-button${move.write === highlighted ? " pointed" : ""}`}
                aria-disabled={!active}
                onPointerDown={() => active && prefetch(move.write)}
                onClick={() => active && play(move.write)}
                onPointerEnter={() => judgedMove && highlight(move.write)}
                onPointerLeave={() => judgedMove && highlight(null)}
              >
                {judgedMove?.leaves && (
                  <span class={`badge tint-${tint}`} aria-hidden="true">
                    {glyph(judgedMove.leaves.outcome)}
                  </span>
                )}
                <span>
                  {nextMoveWords(move, answer, say)}
                  {judgedMove?.leaves && (
                    <span class="leaves">
                      {say("leaves", { outcome: outcomePhrase(judgedMove.leaves.outcome, say) })}
                      {judgedMove.for_mover && ` · ${say(standingWord(judgedMove.for_mover))}`}
                      {judgedMove.remoteness !== undefined && ` · ${say("to_go", { count: String(judgedMove.remoteness) })}`}
                    </span>
                  )}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {shown.length < moves.length && (
        <button type="button" class="plain" onClick={() => setAll(true)}>
          {say("moves_all", { count: moves.length })}
        </button>
      )}
      {!complete && <p class="note">{say("moves_incomplete")}</p>}
    </section>
  );
}
