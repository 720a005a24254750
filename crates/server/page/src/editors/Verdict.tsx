// The outcome and value of the edited position.
import { glyph, grundyText, outcomeSentence, tintOfOutcome } from "../outcome.ts";
import { usePage, useMatch } from "../state/page.ts";

/** The outcome and value; empty while they are not known. */
export function Verdict() {
  const { say } = usePage();
  const { board, analysis } = useMatch();
  const solution = analysis.answer?.solution;
  if (!solution || board.trouble) return null;
  return (
    <>
      <span class={`badge large tint-${tintOfOutcome(solution.outcome)}`} aria-hidden="true">
        {glyph(solution.outcome)}
      </span>
      <strong>{outcomeSentence(solution.outcome, board.answer?.own_moves ?? false, say)}</strong>
      {solution.grundy !== undefined && <span>{`${say("grundy_value")} ${grundyText(solution.grundy)}`}</span>}
      {solution.grundy === undefined && solution.value !== undefined && <span>{`${say("game_value")} ${solution.value}`}</span>}
    </>
  );
}
