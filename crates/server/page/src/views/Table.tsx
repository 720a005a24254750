// The values of a family, as a strip or a heat map, with patterns.
import { useMemo, useRef, useState } from "preact/hooks";
import { Picture } from "../board/Picture.tsx";
import { saveFile } from "../copying/clipboard.ts";
import type { TableAnswer } from "../engine/answers.ts";
import { Stepper } from "../editors/Stepper.tsx";
import { glyph } from "../outcome.ts";
import { Choice } from "../shell/Choice.tsx";
import { PendingIndicator } from "../shell/PendingIndicator.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { askOnce, useRequest } from "../state/request.ts";
import { commonKeys, usePage } from "../state/page.ts";
import { openGame } from "../state/state.ts";
import { CopyButton } from "../tables/Copying.tsx";
import { FamilyField } from "../tables/FamilyField.tsx";
import { HeatMap } from "../tables/HeatMap.tsx";
import { OutcomeStrip } from "../tables/OutcomeStrip.tsx";
import { useFamily } from "../tables/chosenFamily.ts";
import { bfile, csv, oeisLink, oeisTerms, pPositions, rowsOf, valueText } from "../tables/copies.ts";
import { type Range, functionsOf, memberOf, readRanges, variablesOf, rangeText } from "../tables/family.ts";
import type { View } from "./views.ts";

export const table: View = { id: "table", word: "view_table", layout: "wide", marks: false, Panel };

const EXAMPLES = ["kayles(n)", "subtraction([1, 3, 4], n)", "grundys_game(n)", "take_and_break('0.137', n)", "wythoff(a, b)", "nim(a, b)", "euclid(a, b)", "chomp(a, b)"];
const DEFAULT_LENGTH = 40;
const DEFAULT_SIDE = 15;
const MAX_LISTED = 2000;
/** The content of cells; `full` is the genus with all its digits. */
const CELLS = ["grundy", "outcome", "genus", "full"] as const;

function Panel() {
  const { state, change, engine, reportOffline, say } = usePage();
  const { family, readKey, storeKeys, onOpen } = useFamily("table", 2);
  const names = variablesOf(family, functionsOf(state.rules)).slice(0, 2);
  const known = readRanges(readKey("ranges") ?? "");
  const defaultLast = names.length > 1 ? DEFAULT_SIDE : DEFAULT_LENGTH;
  const ranges: Range[] = names.map((name) => known.find((range) => range.name === name) ?? { name, from: /euclid\(/.test(family) ? 1 : 0, to: defaultLast });
  const of = CELLS.find((one) => one === readKey("of")) ?? "grundy";
  const genus = of === "genus" || of === "full";
  const written = ranges.map(rangeText);
  const valid = ranges.length > 0 && ranges.every((range) => range.to >= range.from);
  const shared = { ...commonKeys(state), game: family, ranges: written };
  // Patterns are searched in outcomes, not in genera. So the outcomes in misère play, which the
  // genera determine, are requested as well.
  const question = !valid ? null : genus ? { ...shared, play: "misere" as const, of: "outcome" as const, pattern: true } : { ...shared, pattern: true, ...(of === "outcome" ? { of } : {}) };
  const outcomes = useRequest("table", question, { keep: true });
  const genera = useRequest("table", valid && genus ? { ...shared, play: "misere", of: "genus", ...(of === "full" ? { full: true } : {}) } : null, { keep: true });
  const trouble = outcomes.trouble ?? genera.trouble;
  const pending = outcomes.pending || genera.pending;
  const answer = useMemo(() => withGenera(outcomes.answer, genus ? genera.answer : undefined), [outcomes.answer, genera.answer, genus]);
  const [pictured, setPictured] = useState<{ of: string; svg: string } | null>(null);
  const drawing = useRef<AbortController | null>(null);

  const range = (index: number, part: Partial<Range>) => storeKeys({ ranges: ranges.map((old, at) => rangeText(at === index ? { ...old, ...part } : old)).join(",") });
  const open = (values: Record<string, number>) => {
    const game = memberOf(family, values);
    onOpen(game);
    change((now) => ({ ...openGame(now, game, genus ? "misere" : now.play), view: "analyse" }), "push");
  };

  const hasProgram = !genus && state.play !== "misere" && answer !== null && (of === "outcome" || rowsOf(answer).some((row) => typeof row.grundy === "number" || typeof row.grundy === "bigint"));
  const program = async (code: "cpp" | "python"): Promise<string | null> => {
    const response = await askOnce(engine, reportOffline, "table", { ...shared, code }, new AbortController().signal);
    return response && "answer" in response ? (response.answer.program ?? null) : null;
  };

  const key = JSON.stringify(question);
  const draw = async () => {
    drawing.current?.abort();
    const stop = new AbortController();
    drawing.current = stop;
    const response = question && (await askOnce(engine, reportOffline, "table", { ...question, svg: "table.svg" }, stop.signal));
    if (response && "answer" in response) setPictured({ of: key, svg: response.answer.files?.["table.svg"] ?? "" });
  };
  return (
    <div class="table-view">
      <div class="question-bar">
        <FamilyField value={family} examples={EXAMPLES} change={(text) => storeKeys({ family: text, ranges: "" })} />
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
          showLegend
          value={of}
          options={[
            { value: "grundy", label: say("grundy_value") },
            { value: "outcome", label: say("table_outcome") },
            { value: "genus", label: say("genus") },
            { value: "full", label: say("table_genus_full") },
          ]}
          choose={(value) => storeKeys({ of: value === "grundy" ? "" : value })}
        />
      </div>
      {names.length === 0 && <p class="telling">{say("table_free")}</p>}
      {!valid && names.length > 0 && <p class="telling">{say("table_range_empty")}</p>}
      {trouble && <Trouble trouble={trouble} />}
      {pending && <PendingIndicator pending={pending} />}
      {answer && !trouble && valid && (
        <>
          {answer.variables.length === 1 ? <OutcomeStrip table={answer} open={open} /> : <HeatMap table={answer} open={open} />}
          {genus && <p class="note">{say("table_genus_about")}</p>}
          <Findings table={answer} />
          <section class="copying">
            <h2>{say("copy_heading")}</h2>
            <div class="copies">
              <CopyButton what="CSV" text={() => csv(answer)} />
              {bfile(answer) !== null && <CopyButton what="b-file" text={() => bfile(answer) ?? ""} />}
              {pPositions(answer) !== "" && <CopyButton what={say("table_p_positions")} text={() => pPositions(answer)} />}
              {hasProgram && (
                <>
                  <CopyButton what="C++" text={() => program("cpp")} />
                  <CopyButton what="Python" text={() => program("python")} />
                </>
              )}
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

/**
 * Returns the table of outcomes with the genera added, if they were requested; `null` until both
 * have arrived.
 */
function withGenera(outcomes: TableAnswer | null, genera: TableAnswer | null | undefined): TableAnswer | null {
  if (genera === undefined || outcomes === null) return outcomes;
  const fits = genera !== null && genera.family === outcomes.family && String([genera.from, genera.to]) === String([outcomes.from, outcomes.to]);
  return fits && genera.genus ? { ...outcomes, genus: genera.genus } : null;
}

/** The table as plain data. */
function Data({ table }: { table: TableAnswer }) {
  const { say } = usePage();
  const [shown, setShown] = useState(false);
  const rows = useMemo(() => rowsOf(table), [table]);
  const valued = rows.some((row) => valueText(row) !== "");
  const named = say(table.genus === undefined ? "grundy_value" : "genus");
  const [first = "n", second] = table.variables;
  const across = second === undefined ? 0 : (table.to[1] ?? 0) - (table.from[1] ?? 0) + 1;
  const square = second !== undefined && across <= 60;
  return (
    <details class="data" onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>{say("table_data")}</summary>
      {shown && (
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
                {Array.from({ length: Math.min(rows.length / across, Math.floor(MAX_LISTED / across)) }, (_, i) => (
                  <tr key={i}>
                    <th scope="row">{(table.from[0] ?? 0) + i}</th>
                    {rows.slice(i * across, (i + 1) * across).map((row) => (
                      <td key={row.at[1]}>{valueText(row) || glyph(row.outcome)}</td>
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
                {rows.slice(0, MAX_LISTED).map((row) => (
                  <tr key={row.at.join(" ")}>
                    {row.at.map((at, index) => (
                      <th key={index} scope="row">
                        {at}
                      </th>
                    ))}
                    {valued && <td>{valueText(row)}</td>}
                    <td>{glyph(row.outcome)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          }
          {rows.length > MAX_LISTED && <p class="note">{say("table_more_data")}</p>}
        </div>
      )}
    </details>
  );
}
