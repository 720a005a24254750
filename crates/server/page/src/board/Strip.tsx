// The strip of outcomes before the first move of a match and after each move.
import type { Review } from "../engine/answers.ts";
import { glyph, outcomeSentence, tintOfOutcome } from "../outcome.ts";
import { usePage, useMatch } from "../state/page.ts";

interface Props {
  review: Review;
  go(at: number): void;
  now: number;
}

export function Strip({ review, go, now }: Props) {
  const { say } = usePage();
  const { board } = useMatch();
  const partizan = board.answer?.own_moves ?? false;
  const mistakes = new Set(review.mistakes.map((mistake) => mistake.turn));
  return (
    <ol class="strip" aria-label={say("strip")}>
      {review.strip.map((cell, index) => (
        <li key={index}>
          <button
            type="button"
            class={`cell tint-${tintOfOutcome(cell.outcome)}${mistakes.has(index) ? " mistake" : ""}`}
            aria-current={index === now ? "step" : undefined}
            aria-label={say("strip_cell", { turn: index, outcome: outcomeSentence(cell.outcome, partizan, say) })}
            title={say("strip_cell", { turn: index, outcome: outcomeSentence(cell.outcome, partizan, say) })}
            onClick={() => go(index)}
          >
            {glyph(cell.outcome)}
          </button>
        </li>
      ))}
    </ol>
  );
}
