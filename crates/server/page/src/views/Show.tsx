// The presentation of a lecture: a large board and one step of the explanation at a time.
import { useEffect, useRef, useState } from "preact/hooks";
import { Picture } from "../board/Picture.tsx";
import { pageBoard } from "../editors/pageBoard.ts";
import { glyph, grundyText, outcomeSentence, tintOfOutcome } from "../outcome.ts";
import { sentence, stages } from "../explanation.ts";
import { Icon } from "../shell/Icon.tsx";
import type { Keys } from "../shell/KeyList.tsx";
import { inText } from "../shell/typing.ts";
import { PendingIndicator } from "../shell/PendingIndicator.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { useRequest } from "../state/request.ts";
import { commonKeys, usePage, useMatch } from "../state/page.ts";
import { openGame } from "../state/state.ts";
import { StageText } from "./StageText.tsx";
import type { View } from "./views.ts";

export const show: View = { id: "show", layout: "alone", marks: false, Panel };

export const SHOW_KEYS: Keys[] = [
  { keys: ["→", "PageDown", "Space"], word: "key_show_forth" },
  { keys: ["←", "PageUp"], word: "key_show_back" },
  { keys: ["a"], word: "key_show_answer" },
  { keys: ["↓", "↑"], word: "key_show_position" },
  { keys: ["Home", "End"], word: "key_show_ends" },
  { keys: ["Esc"], word: "key_show_leave" },
];

function Panel() {
  const { state, change, say, announce } = usePage();
  const { board, fresh } = useMatch();
  const position = fresh ? board.answer?.position : undefined;
  const { answer, trouble, pending } = useRequest("explain", position === undefined ? null : { ...commonKeys(state), game: position, pictures: true });
  const all = stages(answer?.steps ?? []);
  // Step 0 is the board alone. The answer is hidden until it is revealed or the last step is
  // reached.
  const at = Math.min(state.step, all.length);
  const [revealed, reveal] = useState(false);
  const stage = at > 0 ? all[at - 1] : undefined;
  const index = state.list.indexOf(state.game);
  const frame = useRef<HTMLElement>(null);

  useEffect(() => reveal(false), [position]);
  useEffect(() => {
    frame.current?.focus();
  }, []);
  useEffect(() => {
    if (stage) announce(`${stage.number}. ${sentence(stage.head)}`);
  }, [stage?.head]);

  const step = (to: number) => change((now) => ({ ...now, step: Math.max(0, Math.min(to, all.length)) }));
  const turn = (by: number, end = false) => {
    const to = index < 0 ? (by > 0 ? 0 : -1) : index + by;
    const game = state.list[to];
    if (game === undefined) return false;
    change((now) => ({ ...openGame(now, game), step: end ? 1e6 : 0 }));
    return true;
  };
  const leave = () => {
    if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined);
    change((now) => ({ ...now, view: "lecture", step: 0 }));
  };
  const forth = () => {
    if (at < all.length) step(at + 1);
    else if (answer) turn(1);
  };
  const back = () => {
    if (at > 0) step(at - 1);
    else turn(-1, true);
  };
  const actions: Record<string, () => void> = {
    ArrowRight: forth,
    PageDown: forth,
    " ": forth,
    Enter: forth,
    ArrowLeft: back,
    PageUp: back,
    ArrowDown: () => turn(1),
    ArrowUp: () => turn(-1),
    Home: () => step(0),
    End: () => step(all.length),
    a: () => reveal((now) => !now),
    Escape: leave,
  };
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || inText(event.target)) return;
      // These keys activate the focused button.
      if (event.target instanceof HTMLButtonElement && (event.key === " " || event.key === "Enter")) return;
      const action = latest.current[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);

  const outcome = answer?.outcome;
  return (
    <main class="show" ref={frame} tabIndex={-1} aria-label={say("view_lecture")}>
      <div class="show-head">
        <h1>
          <code>{board.answer?.position ?? state.game}</code>
        </h1>
        {state.play === "misere" && <span class="note">{say("play_misere")}</span>}
        <span class="show-tools">
          {index >= 0 && <span class="counter">{say("step_of", { step: index + 1, of: state.list.length })}</span>}
          <button type="button" class="icon" onClick={leave} aria-label={say("close")} title={say("close")}>
            <Icon name="close" />
          </button>
        </span>
      </div>
      <div class={`show-stage${stage ? " spoken" : ""}`}>
        <div class="show-board">{board.answer?.svg && <Picture svg={pageBoard({ ...board.answer, moves: [] }) ?? board.answer.svg} label={board.answer.position} scale={4.5} fill />}</div>
        <div class="show-step">
          {board.trouble && <Trouble trouble={board.trouble} />}
          {trouble && <Trouble trouble={trouble} />}
          {!answer && !trouble && <PendingIndicator pending={pending} />}
          {stage && (
            <div class="show-text">
              <span class="stage-number" aria-hidden="true">
                {stage.number}
              </span>
              <div>
                <StageText stage={stage} scale={2} />
              </div>
            </div>
          )}
        </div>
      </div>
      <div class="show-foot">
        <button type="button" class="plain" disabled={at === 0 && index <= 0} onClick={back}>
          {say("step_back")}
        </button>
        <span class="counter">{say("step_of", { step: at, of: all.length })}</span>
        <button type="button" class="plain" disabled={at >= all.length && index === state.list.length - 1} onClick={forth}>
          {say("step_forth")}
        </button>
        <button type="button" class="plain" aria-pressed={revealed} onClick={() => reveal((now) => !now)}>
          {say(revealed ? "answer_hide" : "answer_show")}
        </button>
        <p class="show-answer" aria-live="polite">
          {revealed && answer && (
            <>
              <span class={`badge large tint-${tintOfOutcome(outcome)}`} aria-hidden="true">
                {glyph(outcome)}
              </span>{" "}
              {outcomeSentence(outcome, board.answer?.own_moves ?? false, say)}
              {answer.grundy !== undefined && ` · ${say("grundy_value")}: ${grundyText(answer.grundy)}`}
            </>
          )}
        </p>
      </div>
    </main>
  );
}
