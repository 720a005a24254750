// The text field for the expression, which follows the board. An error is marked below it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Trouble } from "../engine/answers.ts";
import { allGames, useGames } from "../games/list.ts";
import { Choice } from "../shell/Choice.tsx";
import { NotationText } from "../shell/NotationText.tsx";
import { askOnce } from "../state/request.ts";
import { commonKeys, usePage, useMatch } from "../state/page.ts";
import { openGame } from "../state/state.ts";
import { viewNamed } from "../views/views.ts";
import { callAround, completion } from "./completion.ts";
import { cutAt, isInRules } from "./location.ts";

export function ExpressionBox() {
  const { state, change, engine, reportOffline, say, announce } = usePage();
  const { board } = useMatch();
  const games = allGames(useGames().answer);
  const shown = state.at === 0 ? state.game : (board.answer?.position ?? state.game);
  const [text, setText] = useState(shown);
  const [caret, setCaret] = useState(0);
  const [open, setOpen] = useState(false);
  const [picked, setPicked] = useState(-1);
  const [trouble, setTrouble] = useState<{ text: string; trouble: Trouble } | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const request = useRef<AbortController | null>(null);

  useEffect(() => {
    setText(shown);
    setTrouble(null);
    setOpen(false);
  }, [shown]);

  // The expression in a URL may be invalid.
  const wrong = trouble ?? (board.trouble && board.trouble.kind !== "offline" && text === state.game && !(state.view === "rules" && isInRules(board.trouble)) ? { text: state.game, trouble: board.trouble } : null);
  const offered = open ? completion(text, caret, games) : null;
  const around = callAround(text, caret);
  const signature = open ? games.find((game) => game.name === around)?.signature : undefined;

  const readInput = (element: HTMLInputElement) => {
    setText(element.value);
    setCaret(element.selectionStart ?? element.value.length);
    setOpen(true);
    setPicked(-1);
    setTrouble(null);
  };

  const insertGame = (index: number) => {
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

  const solve = async (game = text.trim()) => {
    setOpen(false);
    if (game === "") return;
    request.current?.abort();
    const stop = new AbortController();
    request.current = stop;
    const view = viewNamed(state.view).layout === "beside" ? state.view : "analyse";
    if (game === shown) {
      change((now) => ({ ...now, view: view === "play" ? "analyse" : view }));
      return;
    }
    const response = await askOnce(engine, reportOffline, "board", { ...commonKeys(state), game, moves: "" }, stop.signal);
    if (response === null) return;
    if ("answer" in response) {
      // A text that is not in the notation is replaced by what was understood.
      const understood = response.answer.understood;
      const remarks = understood === undefined ? [] : [say("understood_as", { game: understood })];
      remarks.push(...(response.answer.notes ?? []));
      if (remarks.length > 0) announce(remarks.join("; "));
      change((now) => ({ ...openGame(now, understood ?? game), view }), "push");
    } else if (response.trouble.kind !== "offline") {
      setTrouble({ text: text, trouble: response.trouble });
      announce(response.trouble.message);
    }
  };

  const key = (event: KeyboardEvent) => {
    const count = offered?.games.length ?? 0;
    if (event.key === "ArrowDown" && count > 0) setPicked((picked + 1) % count);
    else if (event.key === "ArrowUp" && count > 0) setPicked((picked + count - 1) % count);
    else if (event.key === "Tab" && !event.shiftKey && count > 0 && picked >= 0) insertGame(picked);
    else if (event.key === "Enter" && picked >= 0) insertGame(picked);
    else if (event.key === "Enter") void solve();
    else if (event.key === "Escape" && open) setOpen(false);
    else if (event.key === "Escape") setText(shown);
    else return;
    event.preventDefault();
  };

  const cut = wrong?.trouble.at && !isInRules(wrong.trouble) ? cutAt(wrong.text, wrong.trouble.at) : null;
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
            onInput={(event) => readInput(event.currentTarget)}
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
                  insertGame(index);
                }}
              >
                <code>{game.signature}</code>
                <span>{game.summary}</span>
              </li>
            ))}
          </ul>
        </div>
        <button type="button" class="main" onClick={() => void solve()}>
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
          choose={(play) => change((now) => openGame(now, now.game, play))}
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
              <NotationText text={wrong.trouble.message} />
            </p>
            {wrong.trouble.readings ? (
              <ul class="readings">
                {wrong.trouble.readings.map((reading) => (
                  <li key={reading}>
                    <button type="button" class="link" onClick={() => void solve(reading)}>
                      <code>{reading}</code>
                    </button>
                  </li>
                ))}
              </ul>
            ) : (
              wrong.trouble.help && (
                <p class="note">
                  <NotationText text={wrong.trouble.help} />
                </p>
              )
            )}
          </div>
        ) : signature && offered === null ? (
          <code class="signature">{signature}</code>
        ) : null}
      </div>
    </search>
  );
}
