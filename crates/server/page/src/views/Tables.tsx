// The tablebases of the server, with their games and positions to play from.
import { Picture } from "../board/Picture.tsx";
import type { TableCard } from "../engine/answers.ts";
import type { Whole } from "../engine/json.ts";
import { PendingIndicator } from "../shell/PendingIndicator.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { useRequest } from "../state/request.ts";
import { usePage } from "../state/page.ts";
import { openGame } from "../state/state.ts";
import type { View } from "./views.ts";

export const tables: View = { id: "tables", word: "view_tables", layout: "wide", marks: false, needsTables: true, Panel };

/** The length above which an expression is shortened; its title has the full text. */
const MAX_SHOWN = 60;
const shorten = (text: string): string => (text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1)}…`);

function Panel() {
  const { state, change, say } = usePage();
  const { answer, trouble, pending } = useRequest("tables", { lang: state.lang }, { keep: true });
  const cards = answer?.tables ?? [];
  const selected = state.more["card"] ?? "";
  const show = (table: string) => change((now) => ({ ...now, more: { ...now.more, card: table } }), "push");
  if (selected !== "") return <TablebaseDetails name={selected} back={() => show("")} />;
  return (
    <div class="gallery tablebases">
      {trouble && <Trouble trouble={trouble} />}
      {!answer && !trouble && <PendingIndicator pending={pending} />}
      <p class="note">{say(answer && cards.length === 0 ? "tables_none" : "tables_about")}</p>
      <ul class="cards">
        {cards.map((card) => (
          <li key={card.table}>
            <button type="button" class="card" onClick={() => show(card.table)}>
              <strong>{card.table}</strong>
              <code title={card.game}>{shorten(card.game)}</code>
              <span>{say("tables_in_short", { positions: count(card.positions, state.lang), longest: String(card.longest) })}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

const count = (number: Whole, lang: string): string => number.toLocaleString(lang === "zh" ? "zh-CN" : "en");

/** The description of a single tablebase. */
function TablebaseDetails({ name, back }: { name: string; back(): void }) {
  const { state, change, say } = usePage();
  const { answer, trouble, pending } = useRequest("tables", { table: name, lang: state.lang });
  const card = answer as TableCard | null;
  const open = (game: string, view: string) => {
    if (!card) return;
    change((now) => ({ ...openGame(now, game, card.play), rules: card.rules ?? "", table: card.table, view, more: {} }), "push");
    scrollTo(0, 0);
  };
  const number = (value: Whole) => count(value, state.lang);
  return (
    <div class="tablebase">
      <button type="button" class="plain" onClick={back}>
        {say("tables_all")}
      </button>
      {trouble && <Trouble trouble={trouble} />}
      {!card && !trouble && <PendingIndicator pending={pending} />}
      {card && (
        <>
          <h2>{card.table}</h2>
          <p>
            <code class="long">{card.game}</code> · {say(card.play === "misere" ? "play_misere" : "play_normal")}
          </p>
          {card.playable ?
            <p class="choices">
              <button type="button" class="main" onClick={() => open(card.game, "analyse")}>
                {say("tables_analyse")}
              </button>{" "}
              <button type="button" class="main" onClick={() => open(card.game, "play")}>
                {say("tables_play")}
              </button>
            </p>
          : <p class="note">{say("tables_graph")}</p>}
          <dl class="facts">
            <Fact name={say("tables_positions")} value={number(card.positions)} />
            <Fact name={say(card.kind === "ties" ? "tables_wins" : "tables_n")} value={number(card.outcomes.N)} />
            <Fact name={say(card.kind === "ties" ? "tables_losses" : "tables_p")} value={number(card.outcomes.P)} />
            {Number(card.outcomes.D) > 0 && <Fact name={say(card.kind === "ties" ? "tables_ties" : "tables_d")} value={number(card.outcomes.D)} />}
            <Fact name={say("tables_longest")} value={number(card.longest)} />
            <Fact name={say("tables_bytes")} value={number(card.bytes)} />
          </dl>
          {card.svg && <Picture svg={card.svg} label={say("tables_plot")} scale={0.9} least={0.5} />}
          {card.playable && (card.hardest ?? []).length > 0 && (
            <section>
              <h3>{say("tables_hardest", { longest: number(card.longest) })}</h3>
              <ul>
                {(card.hardest ?? []).map((position) => (
                  <li key={position}>
                    <button type="button" class="link" title={position} onClick={() => open(position, "analyse")}>
                      <code>{shorten(position)}</code>
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {card.command && (
            <section>
              <h3>{say("tables_again")}</h3>
              <pre class="long">{card.command}</pre>
            </section>
          )}
        </>
      )}
    </div>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
