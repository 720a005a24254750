// The outcome and the value.
import type { Solution } from "../engine/answers.ts";
import { glyph, grundyMeaning, grundyText, outcomeSentence, tintOfOutcome } from "../outcome.ts";
import { usePage } from "../state/page.ts";
import { Typeset } from "../value/Typeset.tsx";

export function OutcomeAndValue({ solution, partizan }: { solution: Solution; partizan: boolean }) {
  const { say } = usePage();
  return (
    <>
      <div class="verdict">
        <span class={`badge large tint-${tintOfOutcome(solution.outcome)}`} aria-hidden="true">
          {glyph(solution.outcome)}
        </span>
        <h2>{outcomeSentence(solution.outcome, partizan, say)}</h2>
      </div>
      <Value solution={solution} />
    </>
  );
}

function Value({ solution }: { solution: Solution }) {
  const { say } = usePage();
  if (solution.grundy !== undefined) {
    return (
      <p class="value">
        <span class="value-name">{say("grundy_value")}</span> <span class="number">{grundyText(solution.grundy)}</span>
        <span class="meaning">{grundyMeaning(solution.grundy, say)}</span>
      </p>
    );
  }
  if (solution.value !== undefined) {
    return (
      <p class="value">
        <span class="value-name">{say("game_value")}</span> <span class="number">
          <Typeset text={solution.value} />
        </span>
      </p>
    );
  }
  return null;
}
