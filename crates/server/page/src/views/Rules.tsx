// User-defined games: an editor of rules that marks errors in their lines.
import { useEffect, useRef, useState } from "preact/hooks";
import { EMPTY_GAME, EMPTY_RULES, EXAMPLES, titleOf } from "../editors/examples.ts";
import { Verdict } from "../editors/Verdict.tsx";
import { saveFile } from "../copying/clipboard.ts";
import { isInRules } from "../expression/location.ts";
import { Examples } from "../shell/Examples.tsx";
import { usePage, useMatch } from "../state/page.ts";
import { openGame } from "../state/state.ts";
import type { View } from "./views.ts";

export const rules: View = { id: "rules", word: "view_rules", layout: "beside", reading: true, marks: true, Panel };

/** The pause in typing before the rules are parsed, in milliseconds. */
const PAUSE = 350;
const INDENT = "    ";

function Panel() {
  const { state, change, say, announce } = usePage();
  const { board, analysis } = useMatch();
  const [written, setWritten] = useState(state.rules);
  const [leaving, leave] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLDivElement>(null);
  const timer = useRef(0);
  const sent = useRef(state.rules);
  useEffect(() => {
    if (state.rules !== sent.current) setWritten(state.rules);
    sent.current = state.rules;
  }, [state.rules]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const send = (text: string, game?: string) => {
    clearTimeout(timer.current);
    sent.current = text;
    change((now) => {
      const plays = game ?? (/\bgame\(/.test(now.game) ? now.game : EMPTY_GAME);
      return { ...openGame(now, text.trim() === "" ? now.game : plays), rules: text };
    });
  };
  const type = (text: string) => {
    setWritten(text);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => send(text), PAUSE);
  };
  const key = (event: KeyboardEvent) => {
    const field = area.current;
    if (!field) return;
    if (event.key === "Escape") {
      leave(true);
      announce(say("rules_leave"));
      return;
    }
    if (event.key === "Tab" && !leaving && !event.ctrlKey && !event.altKey && !event.shiftKey) {
      event.preventDefault();
      field.setRangeText(INDENT, field.selectionStart, field.selectionEnd, "end");
      type(field.value);
    } else if (event.key === "Enter" && !event.ctrlKey) {
      // A new line is indented like the current one, and deeper after a colon.
      const line = field.value.slice(0, field.selectionStart).split("\n").at(-1) ?? "";
      const space = /^ */.exec(line)?.[0] ?? "";
      event.preventDefault();
      field.setRangeText(`\n${space}${/:\s*$/.test(line) ? INDENT : ""}`, field.selectionStart, field.selectionEnd, "end");
      type(field.value);
    } else if (event.key === "Enter") {
      event.preventDefault();
      send(written);
    } else if (event.key !== "Tab" && event.key !== "Shift") leave(false);
  };

  const trouble = board.trouble;
  const wrong = trouble && isInRules(trouble) ? trouble : null;
  const line = wrong?.at?.line;
  const lines = written.split("\n");
  return (
    <div class="editor rules-editor">
      <div class="rules-bar">
        <Examples
          examples={EXAMPLES}
          title={(example) => titleOf(example.rules)}
          lang="en"
          choose={(example) => {
            setWritten(example.rules);
            send(example.rules, example.game);
          }}
        />
        <button
          type="button"
          class="plain"
          onClick={() => {
            setWritten(EMPTY_RULES);
            send(EMPTY_RULES, EMPTY_GAME);
          }}
        >
          {say("rules_new")}
        </button>
        <button type="button" class="plain" disabled={written.trim() === ""} onClick={() => saveFile("rules.star", new Blob([written], { type: "text/plain" }))}>
          {say("rules_save")}
        </button>
      </div>
      <div class="code">
        <div class="gutter" ref={gutter} aria-hidden="true">
          {lines.map((_, index) => (
            <span key={index} class={index + 1 === line ? "wrong-line" : ""}>
              {index + 1}
            </span>
          ))}
        </div>
        <textarea
          ref={area}
          id="rules"
          aria-label={say("rules_text")}
          aria-describedby="rules-below rules-keys"
          aria-invalid={wrong !== null}
          rows={18}
          wrap="off"
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          value={written}
          placeholder={EMPTY_RULES}
          onInput={(event) => type(event.currentTarget.value)}
          onKeyDown={key}
          onBlur={() => leave(false)}
          onScroll={(event) => {
            if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop;
          }}
        />
      </div>
      <div id="rules-below" class="rules-below" role="status">
        {wrong ?
          <div class="trouble">
            <p>
              {line !== undefined && (
                <button
                  type="button"
                  class="link"
                  onClick={() => {
                    const field = area.current;
                    const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
                    field?.focus();
                    field?.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
                  }}
                >
                  {say("rules_line", { line })}
                </button>
              )}{" "}
              {wrong.message.replace(/^rules[:：]\s*/, "")}
            </p>
            {line !== undefined && lines[line - 1] !== undefined && (
              <pre class="wrong-text">
                {lines[line - 1]}
                {"\n"}
                {" ".repeat(Math.max((wrong.at?.column ?? 1) - 1, 0))}^
              </pre>
            )}
            {wrong.help && <p class="note">{wrong.help}</p>}
          </div>
        : analysis.answer && !trouble && state.rules !== "" ?
          <p class="editor-verdict">
            <Verdict />
          </p>
        : <p class="note">{say("rules_about")}</p>}
      </div>
      <p id="rules-keys" class="note">
        {say("rules_keys")}
      </p>
    </div>
  );
}
