// The editor of positions, kept in step with the expression.
import { useRef } from "preact/hooks";
import { Editor } from "../editors/Editor.tsx";
import { termsOf, callText } from "../editors/literal.ts";
import { MAX_DRAWN, shapeOf } from "../editors/shapes.ts";
import { Verdict } from "../editors/Verdict.tsx";
import { allGames, gameTitle, useGames } from "../games/list.ts";
import { Choice } from "../shell/Choice.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { usePage, useMatch } from "../state/page.ts";
import { openGame } from "../state/state.ts";
import type { View } from "./views.ts";

export const edit: View = { id: "edit", word: "view_edit", layout: "beside", reading: true, marks: true, Panel };

const CLIP = 28;

function Panel() {
  const { state, change, say } = usePage();
  const { board } = useMatch();
  const games = allGames(useGames().answer);
  const changed = useRef(false);
  const select = useRef<HTMLSelectElement>(null);
  const text = state.at === 0 ? state.game : (board.answer?.position ?? state.game);
  const terms = termsOf(text);
  const at = Math.max(0, Math.min(Number(state.more["edit.term"] ?? "0") || 0, terms.length - 1));
  const term = terms[at];
  const shape = shapeOf(term?.call ?? null);

  /** Sets the expression. Only the first change adds an entry to the browser history. */
  const put = (game: string, to = at) => {
    const how = changed.current ? "replace" : "push";
    changed.current = true;
    change((now) => ({ ...openGame(now, game), more: { ...now.more, "edit.term": to === 0 ? "" : String(to) } }), how);
  };
  const replaced = (written: string) => (term ? text.slice(0, term.from) + written + text.slice(term.to) : written);
  const add = () => {
    const game = games.find((known) => known.name === select.current?.value);
    if (game) put(`${text} + ${game.example}`, terms.length);
  };
  const remove = () => put(terms.filter((_, index) => index !== at).map((one) => one.text).join(" + "), 0);

  return (
    <div class="editor">
      {terms.length > 1 && (
        <div class="explain-bar">
          <Choice
            name="term"
            legend={say("edit_term")}
            showLegend
            value={String(at)}
            options={terms.map((one, index) => ({ value: String(index), label: <code>{one.text.length > CLIP ? `${one.text.slice(0, CLIP)}…` : one.text}</code>, words: one.text }))}
            choose={(to) => change((now) => ({ ...now, more: { ...now.more, "edit.term": to === "0" ? "" : to } }))}
          />
          <button type="button" class="plain" onClick={remove}>
            {say("edit_remove")}
          </button>
        </div>
      )}
      {shape?.what === "large" ? <p class="telling">{say("edit_large", { most: MAX_DRAWN })}</p>
      : shape ?
        <Editor key={`${at} ${shape.what}`} shape={shape} change={(call) => put(replaced(callText(call)))} />
      : <p class="telling">{say("edit_none")}</p>}
      {board.trouble && <Trouble trouble={board.trouble} />}
      <p class="editor-verdict" aria-live="off">
        <Verdict />
      </p>
      <div class="edit-foot">
        <label class="field">
          <span>{say("edit_add_which")}</span>
          <select ref={select}>
            {games.map((game) => (
              <option key={game.name} value={game.name}>
                {gameTitle(game, state.lang)}
              </option>
            ))}
          </select>
        </label>
        <button type="button" class="plain" onClick={add}>
          {say("edit_add")}
        </button>
        <button type="button" class="main" onClick={() => change((now) => ({ ...now, view: "analyse" }))}>
          {say("edit_done")}
        </button>
      </div>
    </div>
  );
}
