// The list of moves as buttons. Moves without a place in the picture are made here.
import { useEffect, useState } from "preact/hooks";
import type { JudgedMove, Move } from "../engine/answers.ts";
import { glyph, outcomePhrase, standingWord, tintOfStanding } from "../outcome.ts";
import { usePage, useTable } from "../state/page.ts";
import { ofMover } from "./told.ts";

const SHOWN = 40;

interface Props {
  moves: Move[];
  complete: boolean;
  judged: Map<string, JudgedMove>;
  active: boolean;
}

export function MoveList({ moves, complete, judged, active }: Props) {
  const { say } = usePage();
  const { press, play, point, pointed, board } = useTable();
  const [all, setAll] = useState(false);
  useEffect(() => setAll(false), [moves]);
  const answer = board.answer;
  if (!answer || moves.length === 0) return null;
  const shown = all ? moves : moves.slice(0, SHOWN);
  return (
    <section class="moves" role="group" aria-label={say("moves")}>
      <h2>{say("moves_heading", { count: complete ? moves.length : `${moves.length}+` })}</h2>
      <ul>
        {shown.map((move) => {
          const known = judged.get(move.write);
          const tint = tintOfStanding(known?.for_mover);
          return (
            <li key={move.write}>
              <button
                type="button"
                class={`move-button${move.write === pointed ? " pointed" : ""}`}
                aria-disabled={!active}
                onPointerDown={() => active && press(move.write)}
                onClick={() => active && play(move.write)}
                onPointerEnter={() => known && point(move.write)}
                onPointerLeave={() => known && point(null)}
              >
                {known?.leaves && (
                  <span class={`badge tint-${tint}`} aria-hidden="true">
                    {glyph(known.leaves.outcome)}
                  </span>
                )}
                <span>
                  {ofMover(move, answer, say)}
                  {known?.leaves && (
                    <span class="leaves">
                      {say("leaves", { outcome: outcomePhrase(known.leaves.outcome, say) })}
                      {known.for_mover && ` · ${say(standingWord(known.for_mover))}`}
                      {known.remoteness !== undefined && ` · ${say("to_go", { count: String(known.remoteness) })}`}
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
