// The values of a family, as a strip or a heat map, with patterns.
import { useMemo, useRef, useState } from "preact/hooks";
import { Picture } from "../board/Picture.tsx";
import { saveFile } from "../copying/clipboard.ts";
import type { TableAnswer } from "../engine/answers.ts";
import { Stepper } from "../editors/Stepper.tsx";
import { glyph } from "../outcome.ts";
import { Choice } from "../shell/Choice.tsx";
import { Slow } from "../shell/Slow.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { askOnce, useAsked } from "../state/asked.ts";
import { common, usePage } from "../state/page.ts";
import { opened } from "../state/state.ts";
import { CopyButton } from "../tables/Copying.tsx";
import { FamilyField } from "../tables/FamilyField.tsx";
import { HeatMap } from "../tables/HeatMap.tsx";
import { OutcomeStrip } from "../tables/OutcomeStrip.tsx";
import { useFamily } from "../tables/chosen.ts";
import { bfile, csv, oeisLink, oeisTerms, rowsOf, told } from "../tables/copies.ts";
import { type Range, functionsOf, memberOf, readRanges, variablesOf, writtenRange } from "../tables/family.ts";
import type { View } from "./views.ts";

export const table: View = { id: "table", word: "view_table", layout: "wide", marks: false, Panel };

const EXAMPLES = ["kayles(n)", "subtraction([1, 3, 4], n)", "grundys_game(n)", "take_and_break('0.137', n)", "wythoff(a, b)", "nim(a, b)", "euclid(a, b)", "chomp(a, b)"];
const ONE = 40;
const TWO = 15;
const LISTED = 2000;
/** The content of cells; `full` is the genus with all its digits. */
const CELLS = ["grundy", "outcome", "genus", "full"] as const;

function Panel() {
  const { state, change, engine, lost, say } = usePage();
  const { family, kept, keep, opened: member } = useFamily("table", 2);
  const names = variablesOf(family, functionsOf(state.rules)).slice(0, 2);
  const known = readRanges(kept("ranges") ?? "");
  const usual = names.length > 1 ? TWO : ONE;
  const ranges: Range[] = names.map((name) => known.find((range) => range.name === name) ?? { name, from: /euclid\(/.test(family) ? 1 : 0, to: usual });
  const of = CELLS.find((one) => one === kept("of")) ?? "grundy";
  const genus = of === "genus" || of === "full";
  const written = ranges.map(writtenRange);
  const sound = ranges.length > 0 && ranges.every((range) => range.to >= range.from);
  const shared = { ...common(state), game: family, ranges: written };
  // Patterns are searched in outcomes, not in genera. So the outcomes in misère play, which the
  // genera determine, are requested as well.
  const question = !sound ? null : genus ? { ...shared, play: "misere" as const, of: "outcome" as const, pattern: true } : { ...shared, pattern: true, ...(of === "outcome" ? { of } : {}) };
  const outcomes = useAsked("table", question, { keep: true });
  const genera = useAsked("table", sound && genus ? { ...shared, play: "misere", of: "genus", ...(of === "full" ? { full: true } : {}) } : null, { keep: true });
  const trouble = outcomes.trouble ?? genera.trouble;
  const pending = outcomes.pending || genera.pending;
  const answer = useMemo(() => joined(outcomes.answer, genus ? genera.answer : undefined), [outcomes.answer, genera.answer, genus]);
  const [pictured, setPictured] = useState<{ of: string; svg: string } | null>(null);
  const drawing = useRef<AbortController | null>(null);

  const range = (index: number, part: Partial<Range>) => keep({ ranges: ranges.map((old, at) => writtenRange(at === index ? { ...old, ...part } : old)).join(",") });
  const open = (values: Record<string, number>) => {
    const game = memberOf(family, values);
    member(game);
    change((now) => ({ ...opened(now, game, genus ? "misere" : now.play), view: "analyse" }), "push");
  };

  const key = JSON.stringify(question);
  const draw = async () => {
    drawing.current?.abort();
    const stop = new AbortController();
    drawing.current = stop;
    const asked = question && (await askOnce(engine, lost, "table", { ...question, svg: "table.svg" }, stop.signal));
    if (asked && "answer" in asked) setPictured({ of: key, svg: asked.answer.files?.["table.svg"] ?? "" });
  };
  return (
    <div class="table-view">
      <div class="question-bar">
        <FamilyField value={family} examples={EXAMPLES} change={(text) => keep({ family: text, ranges: "" })} />
        {ranges.map(({ name, from, to }, index) => (
          <div class="field" key={name}>
            <span>{say("table_range", { name })}</span>
            <span class="range">
              <Stepper label={say("table_from", { name })} value={from} most={100000} change={(value) => range(index, { from: value })} />
              <span aria-hidden="true">…</span>
              <Stepper label={say("table_to", { name })} value={to} most={100000} change={(value) => range(index, { to: value })} />
            </span>
          </div>
        ))}
        <Choice
          name="table-of"
          legend={say("table_of")}
          said
          value={of}
          options={[
            { value: "grundy", label: say("grundy_value") },
            { value: "outcome", label: say("table_outcome") },
            { value: "genus", label: say("genus") },
            { value: "full", label: say("table_genus_full") },
          ]}
          choose={(value) => keep({ of: value === "grundy" ? "" : value })}
        />
      </div>
      {names.length === 0 && <p class="telling">{say("table_free")}</p>}
      {!sound && names.length > 0 && <p class="telling">{say("table_range_empty")}</p>}
      {trouble && <Trouble trouble={trouble} />}
      {pending && <Slow pending={pending} />}
      {answer && !trouble && sound && (
        <>
          {answer.variables.length === 1 ? <OutcomeStrip table={answer} open={open} /> : <HeatMap table={answer} open={open} />}
          {genus && <p class="note">{say("table_genus_about")}</p>}
          <Findings table={answer} />
          <section class="copying">
            <h2>{say("copy_heading")}</h2>
            <div class="copies">
              <CopyButton what="CSV" text={() => csv(answer)} />
              {bfile(answer) !== null && <CopyButton what="b-file" text={() => bfile(answer) ?? ""} />}
              <CopyButton what={say("copy_command")} text={() => `grundy table "${family.replaceAll('"', "'")}" ${written.join(" ")}${genus ? ` --genus${of === "full" ? " --full" : ""}` : `${of === "outcome" ? " --of outcome" : ""}${state.play === "misere" ? " --misere" : ""}`}`} />
              <CopyButton what={say("copy_link")} text={() => location.href} />
              <button type="button" class="plain" onClick={() => saveFile("table.csv", new Blob([csv(answer)], { type: "text/csv" }))}>
                {say("table_save")}
              </button>
              {oeisTerms(answer).length > 3 && (
                <a class="button plain" href={oeisLink(oeisTerms(answer))} target="_blank" rel="noopener noreferrer">
                  {say("table_oeis")}
                </a>
              )}
            </div>
          </section>
          <details class="data" onToggle={(event) => event.currentTarget.open && pictured?.of !== key && void draw()}>
            <summary>{say("table_picture")}</summary>
            {pictured?.of === key && pictured.svg !== "" && (
              <>
                <div class="shown">
                  <Picture svg={pictured.svg} label={family} scale={1} least={0.8} paper />
                </div>
                <CopyButton what="SVG" text={() => pictured.svg} />
              </>
            )}
          </details>
          <Data table={answer} />
        </>
      )}
    </div>
  );
}

function Findings({ table }: { table: TableAnswer }) {
  const { say } = usePage();
  const findings = table.findings ?? [];
  return (
    <section class="findings">
      <h2>{say("table_pattern")}</h2>
      {findings.length === 0 && <p class="note">{say("table_no_pattern")}</p>}
      <ul>
        {findings.map((finding) => (
          <li key={finding.text}>
            <span class={`status ${finding.status}`}>{say(`status_${finding.status}`)}</span> <span class="telling">{finding.text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Returns the table of outcomes with the genera added, if they were requested. */
function joined(outcomes: TableAnswer | null, genera: TableAnswer | null | undefined): TableAnswer | null {
  if (genera === undefined || outcomes === null) return outcomes;
  const fits = genera !== null && genera.family === outcomes.family && String([genera.from, genera.to]) === String([outcomes.from, outcomes.to]);
  return fits && genera.genus ? { ...outcomes, genus: genera.genus } : null;
}

/** The table as plain data. */
function Data({ table }: { table: TableAnswer }) {
  const { say } = usePage();
  const [seen, see] = useState(false);
  const rows = useMemo(() => rowsOf(table), [table]);
  const valued = rows.some((row) => told(row) !== "");
  const named = say(table.genus === undefined ? "grundy_value" : "genus");
  const [first = "n", second] = table.variables;
  const across = second === undefined ? 0 : (table.to[1] ?? 0) - (table.from[1] ?? 0) + 1;
  const square = second !== undefined && across <= 60;
  return (
    <details class="data" onToggle={(event) => see(event.currentTarget.open)}>
      <summary>{say("table_data")}</summary>
      {seen && (
        <div class="scrolled" tabIndex={0} role="region" aria-label={say("table_data")}>
          {square ?
            <table>
              <thead>
                <tr>
                  <th scope="col">
                    {first}\{second}
                  </th>
                  {Array.from({ length: across }, (_, j) => (
                    <th key={j} scope="col">
                      {(table.from[1] ?? 0) + j}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {Array.from({ length: Math.min(rows.length / across, Math.floor(LISTED / across)) }, (_, i) => (
                  <tr key={i}>
                    <th scope="row">{(table.from[0] ?? 0) + i}</th>
                    {rows.slice(i * across, (i + 1) * across).map((row) => (
                      <td key={row.at[1]}>{told(row) || glyph(row.outcome)}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          : <table>
              <thead>
                <tr>
                  {table.variables.map((name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                  {valued && <th scope="col">{named}</th>}
                  <th scope="col">{say("table_outcome")}</th>
                </tr>
              </thead>
              <tbody>
                {rows.slice(0, LISTED).map((row) => (
                  <tr key={row.at.join(" ")}>
                    {row.at.map((at, index) => (
                      <th key={index} scope="row">
                        {at}
                      </th>
                    ))}
                    {valued && <td>{told(row)}</td>}
                    <td>{glyph(row.outcome)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          }
          {rows.length > LISTED && <p class="note">{say("table_more_data")}</p>}
        </div>
      )}
    </details>
  );
}
