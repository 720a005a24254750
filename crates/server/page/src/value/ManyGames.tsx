// Values of many games: positions with a given value, temperatures of positions, games born by a
// day.
import { useState } from "preact/hooks";
import { Picture } from "../board/Picture.tsx";
import { Stepper } from "../editors/Stepper.tsx";
import { Choice } from "../shell/Choice.tsx";
import { PendingIndicator } from "../shell/PendingIndicator.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { useRequest } from "../state/request.ts";
import { usePage } from "../state/page.ts";
import { openGame } from "../state/state.ts";
import { Field } from "./Field.tsx";
import { SECONDS } from "./question.ts";
import { Typeset } from "./Typeset.tsx";

const KINDS = ["none", "find", "random", "born"] as const;
type Kind = (typeof KINDS)[number];

/** The default values of the fields; other values are stored in the URL. */
const DEFAULTS = { game: "domineering", equals: "^", within: "3x4", count: "5", sample: "100", seed: "1", day: "2" };
type Key = keyof typeof DEFAULTS;

/** The games suggested in the fields. The engine accepts others too. */
const SUGGESTED = ["domineering", "clobber", "konane", "amazons", "nogo", "fission", "toads_and_frogs", "toppling_dominoes", "elephants"];
const ORDER = "order.svg";
/** The last day whose order is drawn, and the last day whose games are listed. */
const [DRAWN, LAST] = [2, 3];
const SHOWN = 60;

/** Returns the fields stored in the URL, and a function that changes them. */
function useFields() {
  const { state, change } = usePage();
  const field = (key: Key) => state.more[`value.many.${key}`] ?? DEFAULTS[key];
  const setField = (key: Key, text: string) => change((now) => ({ ...now, more: { ...now.more, [`value.many.${key}`]: text } }));
  return { field, setField };
}

export function ManyGames() {
  const { state, change, say } = usePage();
  const kind = KINDS.find((one) => one === state.more["value.many"]) ?? "none";
  return (
    <section class="value-part">
      <h2>{say("value_many")}</h2>
      <Choice<Kind>
        name="value-many"
        legend={say("value_many")}
        value={kind}
        options={KINDS.map((one) => ({ value: one, label: say(`value_many_${one}`) }))}
        choose={(one) =>
          change((now) => {
            const { "value.many": _, ...more } = now.more;
            return { ...now, more: one === "none" ? more : { ...more, "value.many": one } };
          })
        }
      />
      {kind === "find" && <Find />}
      {kind === "random" && <Random />}
      {kind === "born" && <Born />}
    </section>
  );
}

/** The fields shared by the requests `find` and `temperatures`. */
function BoardFields() {
  const { say } = usePage();
  const { field, setField } = useFields();
  return (
    <>
      <Field label={say("value_many_game")} text={field("game")} list={SUGGESTED} change={(text) => setField("game", text)} />
      <Field label={say("value_within")} text={field("within")} change={(text) => setField("within", text)} />
    </>
  );
}

function Find() {
  const { state, say } = usePage();
  const { field, setField } = useFields();
  const [game, equals, within, count] = [field("game"), field("equals"), field("within"), Number(field("count"))];
  const question = game === "" || equals === "" || within === "" ? null : { game, equals, within, count, lang: state.lang, timeout: SECONDS };
  const { answer, trouble, pending } = useRequest("find", question);
  return (
    <>
      <BoardFields />
      <Field label={say("value_equals")} text={equals} change={(text) => setField("equals", text)} />
      {trouble && <Trouble trouble={trouble} />}
      <PendingIndicator pending={pending} />
      {answer && (
        <>
          <p>
            {answer.positions.length === 0 ?
              say(answer.complete ? "value_found_none" : "value_found_none_yet", { count: answer.looked_at })
            : say("value_found", { count: answer.positions.length, of: answer.looked_at })}
          </p>
          {answer.stopped && <p class="note">{say("value_withheld", { why: answer.stopped.message })}</p>}
          <Positions games={answer.positions.map((position) => ({ position }))} />
          {!answer.complete && answer.positions.length === count && (
            <button type="button" class="plain" onClick={() => setField("count", String(2 * count))}>
              {say("value_find_more")}
            </button>
          )}
        </>
      )}
    </>
  );
}

function Random() {
  const { state, say } = usePage();
  const { field, setField } = useFields();
  const [game, within, count, seed] = [field("game"), field("within"), Number(field("sample")), Number(field("seed"))];
  const question = game === "" || within === "" ? null : { game, within, count, seed, lang: state.lang, timeout: SECONDS };
  const { answer, trouble, pending } = useRequest("temperatures", question);
  const most = Math.max(1, ...(answer?.histogram ?? []).map((bin) => bin.count));
  return (
    <>
      <BoardFields />
      <div class="field">
        <span>{say("value_sample")}</span>
        <Stepper label={say("value_sample")} value={count} least={1} most={10_000} change={(next) => setField("sample", String(next))} />
      </div>
      <button type="button" class="plain" onClick={() => setField("seed", String(seed + 1))}>
        {say("value_draw_others")}
      </button>
      {trouble && <Trouble trouble={trouble} />}
      <PendingIndicator pending={pending} />
      {answer && (
        <>
          {answer.mean !== null && <p>{say("value_sampled", { count: answer.count, mean: answer.mean, deviation: answer.deviation ?? "0" })}</p>}
          {answer.unknown > 0 && <p class="note">{say("value_sample_unknown", { count: answer.unknown })}</p>}
          <div class="scrolled" tabIndex={0} role="region" aria-label={say("value_histogram")}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{say("value_temperature")}</th>
                  <th scope="col">{say("period_count")}</th>
                  <td />
                </tr>
              </thead>
              <tbody>
                {answer.histogram.map((bin) => (
                  <tr key={bin.from}>
                    <th scope="row">{bin.from === bin.to ? bin.from : `${bin.from} – ${bin.to}`}</th>
                    <td>{bin.count}</td>
                    <td class="bar-cell">
                      <svg viewBox="0 0 200 12" width="200" height="12" aria-hidden="true" preserveAspectRatio="none">
                        <rect class="bar" width={(200 * bin.count) / most} height="12" rx="2" />
                      </svg>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <h3>{say("value_hottest")}</h3>
          <Positions games={answer.hottest.map(({ game: position, temperature }) => ({ position, value: temperature }))} />
        </>
      )}
    </>
  );
}

function Born() {
  const { state, say } = usePage();
  const { field, setField } = useFields();
  const day = Number(field("day"));
  const { answer, trouble, pending } = useRequest("born", { day, lang: state.lang, timeout: SECONDS, ...(day <= DRAWN ? { svg: ORDER } : {}) });
  const svg = answer?.files?.[ORDER];
  return (
    <>
      <div class="field">
        <span>{say("value_day")}</span>
        <Stepper label={say("value_day")} value={day} least={0} most={LAST} change={(next) => setField("day", String(next))} />
      </div>
      {trouble && <Trouble trouble={trouble} />}
      <PendingIndicator pending={pending} />
      {answer && (
        <>
          <p>{say("value_born", { count: answer.count, day: answer.day })}</p>
          {svg !== undefined && (
            <div class="thermograph">
              <Picture svg={svg} label={say("value_order", { day: answer.day })} scale={1} least={0.6} />
            </div>
          )}
          <Positions key={day} games={answer.games.map((value) => ({ position: `literal(${JSON.stringify(value)})`, value }))} />
        </>
      )}
    </>
  );
}

/** A list of positions that can be opened, with their values. */
function Positions({ games }: { games: { position: string; value?: string }[] }) {
  const { change, say } = usePage();
  const [all, setAll] = useState(false);
  return (
    <>
      <ul class="value-options">
        {(all ? games : games.slice(0, SHOWN)).map(({ position, value }) => (
          <li key={position}>
            <button type="button" class="plain" onClick={() => change((now) => openGame(now, position, "normal"), "push")}>
              {value !== undefined && <Typeset text={value} narrow />}
              <code class="value-move">{position}</code>
            </button>
          </li>
        ))}
      </ul>
      {!all && games.length > SHOWN && (
        <button type="button" class="plain" onClick={() => setAll(true)}>
          {say("value_all", { count: games.length })}
        </button>
      )}
    </>
  );
}
