// Prepares a lecture: a list of positions, kept in the link.
import { useRef, useState } from "preact/hooks";
import { copyText, saveFile } from "../copying/clipboard.ts";
import { Icon } from "../shell/Icon.tsx";
import { askOnce } from "../state/asked.ts";
import { common, usePage } from "../state/page.ts";
import { opened } from "../state/state.ts";
import { SHOW_KEYS } from "./Show.tsx";
import type { View } from "./views.ts";

export const lecture: View = { id: "lecture", word: "view_lecture", layout: "wide", marks: false, Panel };

function Panel() {
  const { state, change, engine, lost, say, announce } = usePage();
  const [written, setWritten] = useState(state.list.join("\n"));
  const [report, setReport] = useState("");
  const exporting = useRef<AbortController | null>(null);
  const positions = state.list.length > 0 ? state.list : [state.game];

  const tell = (text: string) => {
    setReport(text);
    announce(text);
  };
  const keep = (text: string) => {
    setWritten(text);
    const list = text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    change((now) => ({ ...now, list }));
  };
  const begin = () => {
    const game = positions[0] ?? state.game;
    change((now) => ({ ...(state.list.length > 0 ? opened(now, game) : now), view: "show", step: 0 }));
    void document.documentElement.requestFullscreen?.().catch(() => undefined);
  };
  const save = async () => {
    exporting.current?.abort();
    const stop = new AbortController();
    exporting.current = stop;
    for (const [index, game] of positions.entries()) {
      const name = positions.length === 1 ? "lecture.html" : `lecture-${index + 1}.html`;
      const asked = await askOnce(engine, lost, "explain", { ...common(state), game, pictures: true, html: name }, stop.signal);
      if (asked === null) return;
      if ("trouble" in asked) {
        tell(`${game}: ${asked.trouble.message}`);
        return;
      }
      const page = asked.answer.files?.[name];
      if (page === undefined) {
        tell(say("lecture_no_file"));
        return;
      }
      saveFile(name, new Blob([page], { type: "text/html" }));
    }
    tell(say("lecture_saved", { count: positions.length }));
  };
  return (
    <div class="prepare">
      <div>
        <h2>{say("lecture_heading")}</h2>
        <p class="telling">{say("lecture_about")}</p>
        <label class="field">
          <span>{say("lecture_list")}</span>
          <textarea
            rows={8}
            spellcheck={false}
            value={written}
            placeholder={"nim(3, 4, 5)\nkayles(7)\nchomp(3, 4)"}
            onInput={(event) => keep(event.currentTarget.value)}
          />
        </label>
        <div class="explain-bar">
          <button type="button" class="main" onClick={begin}>
            <Icon name="screen" /> {say("lecture_begin")}
          </button>
          <button type="button" class="plain" onClick={() => keep([...state.list, state.game].join("\n"))}>
            {say("lecture_add")}
          </button>
          <button type="button" class="plain" onClick={async () => tell(say((await copyText(location.href)) ? "copied" : "copy_failed", { what: say("copy_link") }))}>
            {say("lecture_link")}
          </button>
          <button type="button" class="plain" onClick={save}>
            {say("lecture_export")}
          </button>
        </div>
        <p class="note">{report || "\u00a0"}</p>
      </div>
      <div>
        <h2>{say("help_keys")}</h2>
        <dl class="keys">
          {SHOW_KEYS.map(({ keys, word }) => (
            <div key={word}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{say(word)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  );
}
