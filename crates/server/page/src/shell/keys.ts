// The keyboard shortcuts of the page. None is active in a text field.
import { useEffect, useRef } from "preact/hooks";
import type { MatchState } from "../board/match.ts";
import { type State, openGame, goToMove } from "../state/state.ts";
import { inText } from "./typing.ts";
import { viewNamed } from "../views/views.ts";
import type { Keys } from "./KeyList.tsx";

/** The shortcuts and their actions, as shown in the help. */
export const KEYS: Keys[] = [
  { keys: ["← ↑ → ↓"], word: "key_focus" },
  { keys: ["Enter", "Space"], word: "key_play" },
  { keys: ["u", "Ctrl Z"], word: "key_undo" },
  { keys: ["Ctrl Y"], word: "key_redo" },
  { keys: ["←", "→"], word: "key_step" },
  { keys: ["h"], word: "key_hint" },
  { keys: ["b"], word: "key_best" },
  { keys: ["w"], word: "key_why" },
  { keys: ["n"], word: "key_new" },
  { keys: ["f"], word: "key_first" },
  { keys: ["l"], word: "key_lecture" },
  { keys: ["/"], word: "key_expression" },
  { keys: ["?"], word: "key_list" },
];

/** Exchanges the first player in a match against the program, and restarts the match. */
export const swapSeats = (state: State): State => ({
  ...openGame(state, state.game),
  view: "play",
  seat: state.seat === "first" ? "second" : "first",
});

export function useKeys(match: MatchState, help: () => void): void {
  const now = useRef({ match, help });
  now.current = { match, help };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { match, help } = now.current;
      const { change, state } = match.page;
      if (event.defaultPrevented || event.altKey || inText(event.target)) return;
      if (document.querySelector("dialog[open]") || state.view === "show") return;
      const control = event.ctrlKey || event.metaKey;
      const name = control ? `Ctrl ${event.key.toLowerCase()}` : event.key;
      const always: Record<string, () => void> = {
        l: () => change((now) => ({ ...now, view: "show", step: 0 })),
        "/": () => document.getElementById("expression")?.focus(),
        "?": help,
      };
      // Shortcuts of the board, active in views that show it.
      const onBoard: Record<string, () => void> = {
        u: match.undo,
        "Ctrl z": match.undo,
        "Ctrl y": match.redo,
        ArrowLeft: () => change((now) => goToMove(now, now.at - 1)),
        ArrowRight: () => change((now) => goToMove(now, now.at + 1)),
        h: match.nextHint,
        b: match.showBestMove,
        w: () => change((now) => ({ ...now, view: "explain" })),
        n: () => change((now) => openGame(now, now.game)),
        f: () => change(swapSeats),
      };
      const action = always[name] ?? (viewNamed(state.view).layout === "beside" ? onBoard[name] : undefined);
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
