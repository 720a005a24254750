// The requested hint: the outcome, then a move, then the reason.
import { usePage, useMatch } from "../state/page.ts";
import { stages } from "../explanation.ts";
import { StageText } from "../views/StageText.tsx";
import { HINT_STAGES } from "./match.ts";

export function HintBar() {
  const { say } = usePage();
  const { hint, nextHint } = useMatch();
  if (!hint) return null;
  const { answer, stage, trouble } = hint;
  return (
    <div class="hint">
      <p>
        <strong>{say("hint_stage", { stage, of: HINT_STAGES })}</strong> {trouble ?? answer?.text}
      </p>
      {answer?.move && <p class="hint-move">{say("hint_move", { move: answer.move.move })}</p>}
      {answer?.steps && (
        <ol class="reasons">
          {stages(answer.steps).map((stage) => (
            <li key={stage.number}>
              <StageText stage={stage} />
            </li>
          ))}
        </ol>
      )}
      {stage < HINT_STAGES && !trouble && (
        <button type="button" class="plain" onClick={nextHint}>
          {say(stage === 1 ? "hint_show_move" : "hint_show_reason")}
        </button>
      )}
    </div>
  );
}
