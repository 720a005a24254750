// The expression, kept in step with the board; the location of an error is marked below it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Trouble } from "../engine/answers.ts";
import { allGames, useGames } from "../games/known.ts";
import { Choice } from "../shell/Choice.tsx";
import { Ticked } from "../shell/Ticked.tsx";
import { askOnce } from "../state/asked.ts";
import { common, usePage, useTable } from "../state/page.ts";
import { opened } from "../state/state.ts";
import { viewNamed } from "../views/views.ts";
import { callAround, completion } from "./completion.ts";
import { cutAt, inRules } from "./place.ts";

export function ExpressionBox() {
  const { state, change, engine, lost, say, announce } = usePage();
  const { board } = useTable();
  const games = allGames(useGames().answer);
  const shown = state.at === 0 ? state.game : (board.answer?.position ?? state.game);
  const [text, setText] = useState(shown);
  const [caret, setCaret] = useState(0);
  const [open, setOpen] = useState(false);
  const [picked, setPicked] = useState(-1);
  const [trouble, setTrouble] = useState<{ of: string; is: Trouble } | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const asking = useRef<AbortController | null>(null);

  useEffect(() => {
    setText(shown);
    setTrouble(null);
    setOpen(false);
  }, [shown]);

  // The expression in a URL may be invalid.
  const wrong = trouble ?? (board.trouble && board.trouble.kind !== "offline" && text === state.game && !(state.view === "rules" && inRules(board.trouble)) ? { of: state.game, is: board.trouble } : null);
  const offered = open ? completion(text, caret, games) : null;
  const around = callAround(text, caret);
  const signature = open ? games.find((game) => game.name === around)?.signature : undefined;

  const read = (element: HTMLInputElement) => {
    setText(element.value);
    setCaret(element.selectionStart ?? element.value.length);
    setOpen(true);
    setPicked(-1);
    setTrouble(null);
  };

  const take = (index: number) => {
    const game = offered?.games[index];
    if (!offered || !game) return;
    const called = text[offered.to] === "(";
    const written = game.name + (called ? "" : "(");
    const next = text.slice(0, offered.from) + written + text.slice(offered.to);
    const at = offered.from + game.name.length + 1;
    setText(next);
    setCaret(at);
    setPicked(-1);
    input.current?.focus();
    // If the text has changed since, the reader kept typing and the caret stays where it is.
    requestAnimationFrame(() => {
      if (input.current?.value === next) input.current.setSelectionRange(at, at);
    });
  };

  const solve = async () => {
    const game = text.trim();
    setOpen(false);
    if (game === "") return;
    asking.current?.abort();
    const stop = new AbortController();
    asking.current = stop;
    const view = viewNamed(state.view).layout === "beside" ? state.view : "analyse";
    if (game === shown) {
      change((now) => ({ ...now, view: view === "play" ? "analyse" : view }));
      return;
    }
    const asked = await askOnce(engine, lost, "board", { ...common(state), game, moves: "" }, stop.signal);
    if (asked === null) return;
    if ("answer" in asked) {
      change((now) => ({ ...opened(now, game), view }), "push");
    } else if (asked.trouble.kind !== "offline") {
      setTrouble({ of: text, is: asked.trouble });
      announce(asked.trouble.message);
    }
  };

  const key = (event: KeyboardEvent) => {
    const count = offered?.games.length ?? 0;
    if (event.key === "ArrowDown" && count > 0) setPicked((picked + 1) % count);
    else if (event.key === "ArrowUp" && count > 0) setPicked((picked + count - 1) % count);
    else if (event.key === "Tab" && !event.shiftKey && count > 0 && picked >= 0) take(picked);
    else if (event.key === "Enter" && picked >= 0) take(picked);
    else if (event.key === "Enter") void solve();
    else if (event.key === "Escape" && open) setOpen(false);
    else if (event.key === "Escape") setText(shown);
    else return;
    event.preventDefault();
  };

  const cut = wrong?.is.at && !inRules(wrong.is) ? cutAt(wrong.of, wrong.is.at) : null;
  return (
    <search class="expression">
      <div class="expression-row">
        <div class="expression-field">
          <label class="unseen" for="expression">
            {say("expression")}
          </label>
          <input
            id="expression"
            ref={input}
            value={text}
            spellcheck={false}
            autocomplete="off"
            autocapitalize="off"
            role="combobox"
            aria-expanded={offered !== null}
            aria-controls="offered"
            aria-autocomplete="list"
            aria-activedescendant={picked >= 0 ? `offered-${picked}` : undefined}
            aria-invalid={wrong !== null}
            aria-describedby="expression-below"
            onInput={(event) => read(event.currentTarget)}
            onClick={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
            onKeyDown={key}
            onBlur={() => setOpen(false)}
          />
          <ul id="offered" role="listbox" aria-label={say("games")} hidden={offered === null}>
            {offered?.games.map((game, index) => (
              <li
                key={game.name}
                id={`offered-${index}`}
                role="option"
                aria-selected={index === picked}
                onPointerDown={(event) => {
                  event.preventDefault();
                  take(index);
                }}
              >
                <code>{game.signature}</code>
                <span>{game.summary}</span>
              </li>
            ))}
          </ul>
        </div>
        <button type="button" class="main" onClick={solve}>
          {say("solve")}
        </button>
        <Choice
          name="play"
          legend={say("play_rule")}
          value={state.play}
          options={[
            { value: "normal", label: say("play_normal") },
            { value: "misere", label: say("play_misere") },
          ]}
          choose={(play) => change((now) => opened(now, now.game, play))}
        />
      </div>
      <div id="expression-below" class="expression-below">
        {wrong ? (
          <div class="trouble" role="alert">
            {cut && (
              <code class="wrong">
                {cut.before}
                <mark>{cut.marked}</mark>
                {cut.after}
              </code>
            )}
            <p>
              <Ticked text={wrong.is.message} />
            </p>
            {wrong.is.help && (
              <p class="note">
                <Ticked text={wrong.is.help} />
              </p>
            )}
          </div>
        ) : signature && offered === null ? (
          <code class="signature">{signature}</code>
        ) : null}
      </div>
    </search>
  );
}
