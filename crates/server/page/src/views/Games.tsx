// The gallery of games by group, with a small picture of each.
import { useEffect, useRef, useState } from "preact/hooks";
import { Picture } from "../board/Picture.tsx";
import { pageBoard } from "../editors/pageBoard.ts";
import type { Listed } from "../engine/answers.ts";
import { taskQueue } from "../taskQueue.ts";
import { gameTitle, useGames } from "../games/list.ts";
import { PendingIndicator } from "../shell/PendingIndicator.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { askOnce } from "../state/request.ts";
import { usePage } from "../state/page.ts";
import { openGame } from "../state/state.ts";
import type { View } from "./views.ts";

export const games: View = { id: "games", word: "view_games", layout: "wide", marks: false, Panel };

const thumbnailQueue = taskQueue(3);

function Panel() {
  const { state, change, say } = usePage();
  const { answer, trouble, pending } = useGames();
  const [query, setQuery] = useState("");
  const word = query.trim().toLowerCase();
  const matches = (game: Listed) => word === "" || `${gameTitle(game, state.lang)} ${game.name} ${game.summary}`.toLowerCase().includes(word);
  const open = (game: Listed) => {
    change((now) => ({ ...openGame(now, game.example, "normal"), view: "analyse" }), "push");
    scrollTo(0, 0);
  };
  const groups = (answer?.groups ?? []).map((group) => ({ ...group, games: group.games.filter(matches) })).filter((group) => group.games.length > 0);
  return (
    <div class="gallery">
      {trouble && <Trouble trouble={trouble} />}
      {!answer && !trouble && <PendingIndicator pending={pending} />}
      <label class="field search">
        <span>{say("games_find")}</span>
        <input type="search" value={query} onInput={(event) => setQuery(event.currentTarget.value)} />
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
                  <strong>{gameTitle(game, state.lang)}</strong>
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
  const { engine, reportOffline, connection } = usePage();
  const frame = useRef<HTMLSpanElement>(null);
  const [svg, setSvg] = useState<string | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    let withdraw = () => {};
    const seen = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        seen.disconnect();
        withdraw = thumbnailQueue.add(async () => {
          const response = await askOnce(engine, reportOffline, "board", { game: game.example, play: "normal", moves: "" }, stop.signal);
          if (response && "answer" in response) setSvg(pageBoard({ ...response.answer, moves: [] }) ?? response.answer.svg ?? null);
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
