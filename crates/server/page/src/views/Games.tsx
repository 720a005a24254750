// The gallery of games by group, with a small picture of each.
import { useEffect, useRef, useState } from "preact/hooks";
import { Picture } from "../board/Picture.tsx";
import { ownBoard } from "../editors/ownBoard.ts";
import type { Listed } from "../engine/answers.ts";
import { few } from "../few.ts";
import { called, useGames } from "../games/known.ts";
import { Slow } from "../shell/Slow.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { askOnce } from "../state/asked.ts";
import { usePage } from "../state/page.ts";
import { opened } from "../state/state.ts";
import type { View } from "./views.ts";

export const games: View = { id: "games", word: "view_games", layout: "wide", marks: false, Panel };

const pictures = few(3);

function Panel() {
  const { state, change, say } = usePage();
  const { answer, trouble, pending } = useGames();
  const [wanted, setWanted] = useState("");
  const word = wanted.trim().toLowerCase();
  const fits = (game: Listed) => word === "" || `${called(game, state.lang)} ${game.name} ${game.summary}`.toLowerCase().includes(word);
  const open = (game: Listed) => {
    change((now) => ({ ...opened(now, game.example, "normal"), view: "analyse" }), "push");
    scrollTo(0, 0);
  };
  const groups = (answer?.groups ?? []).map((group) => ({ ...group, games: group.games.filter(fits) })).filter((group) => group.games.length > 0);
  return (
    <div class="gallery">
      {trouble && <Trouble trouble={trouble} />}
      {!answer && !trouble && <Slow pending={pending} />}
      <label class="field search">
        <span>{say("games_find")}</span>
        <input type="search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
      </label>
      {answer && groups.length === 0 && <p>{say("games_nothing")}</p>}
      {groups.map((group) => (
        <section key={group.group} aria-labelledby={`group-${group.group}`}>
          <h2 id={`group-${group.group}`}>{group.title}</h2>
          <ul class="cards">
            {group.games.map((game) => (
              <li key={game.name}>
                <button type="button" class="card" lang={state.lang === "zh" ? "zh-CN" : "en"} onClick={() => open(game)}>
                  <Thumbnail game={game} />
                  <strong>{called(game, state.lang)}</strong>
                  <span>{game.summary}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** The picture of a game's example, requested when it scrolls into view. */
function Thumbnail({ game }: { game: Listed }) {
  const { engine, lost, connection } = usePage();
  const frame = useRef<HTMLSpanElement>(null);
  const [svg, setSvg] = useState<string | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    let withdraw = () => {};
    const seen = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        seen.disconnect();
        withdraw = pictures.add(async () => {
          const asked = await askOnce(engine, lost, "board", { game: game.example, play: "normal", moves: "" }, stop.signal);
          if (asked && "answer" in asked) setSvg(ownBoard({ ...asked.answer, moves: [] }) ?? asked.answer.svg ?? null);
        });
      },
      { rootMargin: "200px" },
    );
    if (svg === null && frame.current) seen.observe(frame.current);
    return () => {
      stop.abort();
      seen.disconnect();
      withdraw();
    };
  }, [game.example, engine, connection]);
  return (
    <span class="thumbnail" ref={frame}>
      {svg && <Picture svg={svg} scale={1} />}
    </span>
  );
}
