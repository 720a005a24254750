// Buttons for navigation in the match, and for hints.
import type { ComponentChildren } from "preact";
import { Icon } from "../shell/Icon.tsx";
import { usePage, useMatch } from "../state/page.ts";
import { goToMove } from "../state/state.ts";

interface Props {
  /** `true` if hints are offered. */
  hints?: boolean;
  /** Additional buttons. */
  children?: ComponentChildren;
}

export function Transport({ hints = true, children }: Props) {
  const { state, change, say } = usePage();
  const { undo, redo, nextHint, board } = useMatch();
  const begun = state.at > 0;
  const undone = state.at < state.moves.length;
  return (
    <div class="transport" part="controls" role="group" aria-label={say("transport")}>
      <button type="button" class="icon" disabled={!begun} onClick={() => change((now) => goToMove(now, 0))} aria-label={say("to_start")} title={say("to_start")}>
        <Icon name="first" />
      </button>
      <button type="button" class="icon" disabled={!begun} onClick={undo} aria-label={say("undo")} title={say("undo")}>
        <Icon name="back" />
      </button>
      <span class="counter" aria-hidden="true">
        {state.at}
        {undone ? ` / ${state.moves.length}` : ""}
      </span>
      <button type="button" class="icon" disabled={!undone} onClick={redo} aria-label={say("redo")} title={say("redo")}>
        <Icon name="forth" />
      </button>
      <button
        type="button"
        class="icon"
        disabled={!undone}
        onClick={() => change((now) => goToMove(now, now.moves.length))}
        aria-label={say("to_end")}
        title={say("to_end")}
      >
        <Icon name="last" />
      </button>
      {hints && (
        <button type="button" class="plain" disabled={board.answer?.over ?? true} onClick={nextHint}>
          {say("hint")}
        </button>
      )}
      {children}
    </div>
  );
}
