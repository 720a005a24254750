// Exports of the position for other tools.
import { useState } from "preact/hooks";
import { askOnce } from "../state/request.ts";
import { commonKeys, usePage, useMatch } from "../state/page.ts";
import { copyText, saveFile } from "./clipboard.ts";
import { command, python } from "./copies.ts";
import { png } from "./png.ts";

export function Copies() {
  const { state, engine, reportOffline, say, announce } = usePage();
  const { board } = useMatch();
  const [done, setDone] = useState<string | null>(null);
  const position = board.answer?.position;
  if (position === undefined) return null;

  const finished = (what: string, success: boolean) => {
    setDone(success ? what : null);
    announce(say(success ? "copied" : "copy_failed", { what }));
    setTimeout(() => setDone((now) => (now === what ? null : now)), 1800);
  };
  const text = (what: string, words: () => string) => ({ what, act: async () => finished(what, await copyText(words())) });
  const draw = async (form: "svg" | "tikz"): Promise<string | null> => {
    const response = await askOnce(engine, reportOffline, "draw", { ...commonKeys(state), game: position, form }, new AbortController().signal);
    return response && "answer" in response ? (response.answer[form] ?? response.answer.svg ?? null) : null;
  };
  const copies = [
    text(say("copy_notation"), () => position),
    text(say("copy_link"), () => location.href),
    text(say("copy_command"), () => command(position, state.play)),
    text("Python", () => python(position, state.play)),
    {
      what: "SVG",
      act: async () => {
        const svg = await draw("svg");
        finished("SVG", svg !== null && (await copyText(svg)));
      },
    },
    {
      what: "PNG",
      act: async () => {
        const svg = await draw("svg");
        const image = svg === null ? null : await png(svg);
        if (image) saveFile("grundy.png", image);
        finished("PNG", image !== null);
      },
    },
    {
      what: "LaTeX",
      act: async () => {
        const tikz = await draw("tikz");
        finished("LaTeX", tikz !== null && (await copyText(tikz)));
      },
    },
  ];
  return (
    <ul class="copies">
      {copies.map(({ what, act }) => (
        <li key={what}>
          <button type="button" class={`plain${done === what ? " done" : ""}`} onClick={act}>
            {what}
            {done === what && <span aria-hidden="true"> ✓</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
