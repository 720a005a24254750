// The explanation, one step at a time or as a whole.
import { outcomeSentence } from "../outcome.ts";
import { sentence, stages } from "../explanation.ts";
import { Choice } from "../shell/Choice.tsx";
import { PendingIndicator } from "../shell/PendingIndicator.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { useRequest } from "../state/request.ts";
import { commonKeys, usePage, useMatch } from "../state/page.ts";
import { StageText } from "./StageText.tsx";
import type { View } from "./views.ts";

export const explain: View = { id: "explain", word: "view_explain", layout: "beside", reading: true, marks: true, Panel };

function Panel() {
  const { state, change, say, announce } = usePage();
  const { board, fresh } = useMatch();
  const position = fresh ? board.answer?.position : undefined;
  const { answer, trouble, pending } = useRequest("explain", position === undefined ? null : { ...commonKeys(state), game: position, pictures: true });
  const all = stages(answer?.steps ?? []);
  const single = state.more.steps === "one";
  const at = Math.min(state.step, Math.max(all.length - 1, 0));
  const shown = single ? all.slice(at, at + 1) : all;
  const go = (step: number) => {
    const next = all[step];
    if (!next) return;
    change((now) => ({ ...now, step }));
    announce(`${next.number}. ${sentence(next.head)}`);
  };
  return (
    <div class="explanation">
      {trouble && <Trouble trouble={trouble} />}
      {!answer && !trouble && <PendingIndicator pending={pending || !fresh} />}
      {answer && (
        <>
          <h2>{outcomeSentence(answer.outcome, board.answer?.own_moves ?? false, say)}</h2>
          <div class="explain-bar">
            <Choice
              name="steps"
              legend={say("steps_shown")}
              value={single ? "one" : "all"}
              options={[
                { value: "all", label: say("steps_all") },
                { value: "one", label: say("steps_one") },
              ]}
              choose={(how) => change((now) => ({ ...now, step: 0, more: { ...now.more, steps: how === "one" ? "one" : "" } }))}
            />
            <button type="button" class="plain" onClick={() => change((now) => ({ ...now, view: "show", step: 0 }))}>
              {say("lecture_here")}
            </button>
          </div>
          <ol class="stages">
            {shown.map((stage) => (
              <li key={stage.number}>
                <span class="stage-number" aria-hidden="true">
                  {stage.number}
                </span>
                <div class="stage-text">
                  <StageText stage={stage} />
                </div>
              </li>
            ))}
          </ol>
          {single && (
            <div class="explain-bar">
              <button type="button" class="plain" disabled={at === 0} onClick={() => go(at - 1)}>
                {say("step_back")}
              </button>
              <span class="counter">{say("step_of", { step: at + 1, of: all.length })}</span>
              <button type="button" class="plain" disabled={at >= all.length - 1} onClick={() => go(at + 1)}>
                {say("step_forth")}
              </button>
            </div>
          )}
        </>
      )}
    </div>
  );
}
