// The preparation of a lecture: a list of positions, stored in the URL.
import { useRef, useState } from "preact/hooks";
import { copyText, saveFile } from "../copying/clipboard.ts";
import { mergePages } from "../copying/mergePages.ts";
import { Icon } from "../shell/Icon.tsx";
import { KeyList } from "../shell/KeyList.tsx";
import { askOnce } from "../state/request.ts";
import { commonKeys, matchKeys, usePage } from "../state/page.ts";
import { openGame } from "../state/state.ts";
import { SHOW_KEYS } from "./Show.tsx";
import type { View } from "./views.ts";

export const lecture: View = { id: "lecture", word: "view_lecture", layout: "wide", marks: false, Panel };

const FILE = "lecture.html";

function Panel() {
  const { state, change, engine, reportOffline, say, announce } = usePage();
  const [written, setWritten] = useState(state.list.join("\n"));
  const [report, setReport] = useState("");
  const exporting = useRef<AbortController | null>(null);
  const positions = state.list.length > 0 ? state.list : [state.game];

  const showReport = (text: string) => {
    setReport(text);
    announce(text);
  };
  const setList = (text: string) => {
    setWritten(text);
    const list = text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    change((now) => ({ ...now, list }));
  };
  const begin = () => {
    const game = positions[0] ?? state.game;
    change((now) => ({ ...(state.list.length > 0 ? openGame(now, game) : now), view: "show", step: 0 }));
    void document.documentElement.requestFullscreen?.().catch(() => undefined);
  };
  /** Returns the page of a position, or of the current board if `game` is empty. */
  const requestPage = async (game: string, signal: AbortSignal) => {
    const board = game === "" ? await askOnce(engine, reportOffline, "board", matchKeys(state), signal) : null;
    if (board && "trouble" in board) return board;
    const position = board?.answer.position ?? game;
    return askOnce(engine, reportOffline, "explain", { ...commonKeys(state), game: position || state.game, html: FILE }, signal);
  };
  const save = async () => {
    exporting.current?.abort();
    const stop = new AbortController();
    exporting.current = stop;
    const pages: string[] = [];
    for (const [index, game] of (state.list.length > 0 ? state.list : [""]).entries()) {
      showReport(say("lecture_saving", { position: index + 1, of: positions.length }));
      const response = await requestPage(game, stop.signal);
      if (response === null) return;
      if ("trouble" in response) {
        showReport(response.trouble.kind === "offline" ? say("offline_here") : `${game || state.game}: ${response.trouble.message}`);
        return;
      }
      const page = response.answer.files?.[FILE];
      if (page === undefined) {
        showReport(say("lecture_no_file"));
        return;
      }
      pages.push(page);
    }
    saveFile(FILE, new Blob([mergePages(pages, say("view_lecture"))], { type: "text/html" }));
    showReport(say("lecture_saved", { count: positions.length }));
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
            onInput={(event) => setList(event.currentTarget.value)}
          />
        </label>
        <div class="explain-bar">
          <button type="button" class="main" onClick={begin}>
            <Icon name="screen" /> {say("lecture_begin")}
          </button>
          <button type="button" class="plain" onClick={() => setList([...state.list, state.game].join("\n"))}>
            {say("lecture_add")}
          </button>
          <button type="button" class="plain" onClick={async () => showReport(say((await copyText(location.href)) ? "copied" : "copy_failed", { what: say("copy_link") }))}>
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
        <KeyList all={SHOW_KEYS} />
      </div>
    </div>
  );
}
