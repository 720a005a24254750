// Matrix games: a grid of payoffs, solved exactly while it is edited.
import { useRef, useState } from "preact/hooks";
import { Picture } from "../board/Picture.tsx";
import { saveFile } from "../copying/clipboard.ts";
import type { MatrixAnswer, Trouble as TroubleOf } from "../engine/answers.ts";
import { MAX_SIDE, complete, csv, fitting, fractionValue, gameText, gridText, hasSeveralCells, namesText, NO_NAMES, overlay, readGrid, readNames, tidyCell, type Grid, type Names } from "../matrix/grid.ts";
import { Choice } from "../shell/Choice.tsx";
import { Examples } from "../shell/Examples.tsx";
import { PendingIndicator } from "../shell/PendingIndicator.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { askOnce, useRequest } from "../state/request.ts";
import { usePage } from "../state/page.ts";
import { CopyButton } from "../tables/Copying.tsx";
import type { Word } from "../words.ts";
import type { View } from "./views.ts";

export const matrix: View = { id: "matrix", word: "view_matrix", layout: "wide", marks: false, Panel };

const FILE = "matrix.csv";
const EXAMPLES: { word: Word; grid: string }[] = [
  { word: "matrix_example_mixed", grid: "1,2;3,1/2" },
  { word: "matrix_example_pennies", grid: "1,-1;-1,1" },
  { word: "matrix_example_morra", grid: "-2,3;3,-4" },
  { word: "matrix_example_scissors", grid: "0,-1,1;1,0,-1;-1,1,0" },
  { word: "matrix_example_saddle", grid: "4,1,-3;3,2,5;0,1,6" },
  { word: "matrix_example_wide", grid: "2,3,1,5;4,1,6,0" },
];
type Dominance = "none" | "strict" | "weak" | "mixed";

function Panel() {
  const { state, change, say, engine, reportOffline } = usePage();
  const [pasteTrouble, setPasteTrouble] = useState<TroubleOf | null>(null);
  const text = state.more.matrix ?? EXAMPLES[0]?.grid ?? "1";
  const grid = readGrid(text);
  const names = fitting(readNames(state.more["matrix.names"]), grid);
  const dominance = (["strict", "weak", "mixed"] as const).find((kind) => kind === state.more["matrix.dominance"]);
  const small = grid.length === 2 || grid[0]?.length === 2;
  const ready = complete(grid);
  const { answer, trouble, pending } = useRequest(
    "matrix",
    ready ?
      {
        file: FILE,
        files: { [FILE]: gameText(grid, names) },
        lang: state.lang,
        certificate: "certificate.json",
        ...(small ? { svg: "matrix.svg" } : {}),
        ...(dominance ? { dominance } : {}),
        extreme: 20,
      }
    : null,
    { keep: true },
  );
  const put = (next: Grid, named: Names = names) => {
    setPasteTrouble(null);
    change((now) => ({ ...now, more: { ...now.more, matrix: gridText(next), "matrix.names": namesText(named) } }));
  };
  // The engine reads a pasted text in the same way as a file: with names, decimal commas, LaTeX.
  const paste = async (pasted: string, row: number, column: number) => {
    const question = { file: FILE, files: { [FILE]: pasted }, lang: state.lang };
    const result = await askOnce(engine, reportOffline, "matrix", question, new AbortController().signal);
    if (!result) return;
    if ("trouble" in result) return setPasteTrouble(result.trouble);
    const { certificate, row_names = [], col_names = [] } = result.answer;
    // A matrix with names replaces the whole grid.
    if (row_names.length + col_names.length === 0) return put(overlay(grid, certificate.matrix, row, column));
    const part = certificate.matrix.slice(0, MAX_SIDE).map((line) => line.slice(0, MAX_SIDE));
    put(part, { rows: row_names.slice(0, MAX_SIDE), columns: col_names.slice(0, MAX_SIDE) });
  };
  const solved = answer && !trouble && ready && answer.rows === grid.length && answer.columns === grid[0]?.length ? answer : null;
  const certificate = solved?.files?.["certificate.json"];
  const svg = solved?.files?.["matrix.svg"];
  return (
    <div class="matrix-view">
      <div class="question-bar">
        <Examples examples={EXAMPLES} title={(example) => say(example.word)} choose={(example) => put(readGrid(example.grid), NO_NAMES)} />
        <Choice<Dominance>
          name="dominance"
          legend={say("matrix_dominance")}
          showLegend
          value={dominance ?? "none"}
          options={(["none", "strict", "weak", "mixed"] as const).map((kind) => ({ value: kind, label: say(`dominance_${kind}`) }))}
          choose={(kind) => change((now) => ({ ...now, more: { ...now.more, "matrix.dominance": kind === "none" ? "" : kind } }))}
        />
      </div>
      <p class="note">{say("matrix_about")}</p>
      <div class="matrix-columns">
        <div class="matrix-left">
          <Payoffs grid={grid} names={names} answer={solved} put={put} paste={paste} />
          {pasteTrouble && <Trouble trouble={pasteTrouble} />}
          {!ready && <p class="note">{say("matrix_incomplete")}</p>}
          {trouble && <Trouble trouble={trouble} />}
          {pending && !answer && <PendingIndicator pending />}
        </div>
        {solved && (
          <section class="found matrix-found">
            <h2>{say("matrix_value", { value: solved.value })}</h2>
            <p class="telling">{say(solved.saddle_points.length > 0 ? "matrix_saddle" : "matrix_mixed", { count: solved.saddle_points.length, maximin: solved.maximin, minimax: solved.minimax })}</p>
            <Strategy title={say("matrix_row_plays")} weights={solved.row_strategy} names={names.rows} unique={solved.row_unique} extreme={solved.extreme?.row.strategies ?? []} />
            <Strategy title={say("matrix_column_plays")} weights={solved.col_strategy} names={names.columns} unique={solved.col_unique} extreme={solved.extreme?.col.strategies ?? []} />
            {solved.dominance && <DominanceSteps answer={solved} names={names} />}
            <div class="copies">
              {certificate !== undefined && (
                <button type="button" class="plain" onClick={() => saveFile("matrix.json", new Blob([certificate], { type: "application/json" }))}>
                  {say("certificate_save")}
                </button>
              )}
              <CopyButton what="CSV" text={() => `${csv(grid)}\n`} />
              <CopyButton what={say("copy_link")} text={() => location.href} />
            </div>
            <p>
              <code>grundy verify matrix.json</code>
            </p>
          </section>
        )}
      </div>
      {svg && (
        <section class="shown">
          <Picture svg={svg} label={say("matrix_plot")} scale={1.1} least={0.62} />
        </section>
      )}
    </div>
  );
}

const saddles = (answer: MatrixAnswer | null): Set<string> => new Set(answer?.saddle_points.map((point) => (Array.isArray(point) ? point.join(" ") : `${point.row} ${point.column}`)));

interface PayoffsProps {
  grid: Grid;
  names: Names;
  answer: MatrixAnswer | null;
  put(grid: Grid): void;
  paste(text: string, row: number, column: number): Promise<void>;
}

function Payoffs({ grid, names, answer, put, paste }: PayoffsProps) {
  const { say } = usePage();
  const frame = useRef<HTMLTableElement>(null);
  const [tall, wide] = [grid.length, grid[0]?.length ?? 0];
  const marked = saddles(answer);
  const dominance = answer?.dominance;
  const isDominated = (row: number, column: number) => dominance !== undefined && (!dominance.rows.includes(row) || !dominance.columns.includes(column));
  const focus = (row: number, column: number) => {
    const field = frame.current?.querySelector<HTMLInputElement>(`[data-cell="${row} ${column}"]`);
    field?.focus();
    field?.select();
  };
  const key = (event: KeyboardEvent, row: number, column: number) => {
    const field = event.currentTarget as HTMLInputElement;
    const [begin, end] = [field.selectionStart === 0, field.selectionEnd === field.value.length];
    if (event.key === "ArrowUp") focus(Math.max(row - 1, 0), column);
    else if (event.key === "ArrowDown" || event.key === "Enter") focus(Math.min(row + 1, tall - 1), column);
    else if (event.key === "ArrowLeft" && begin && column > 0) focus(row, column - 1);
    else if (event.key === "ArrowRight" && end && column < wide - 1) focus(row, column + 1);
    else return;
    event.preventDefault();
  };
  const without = (row: number, column: number): Grid => grid.filter((_, i) => i !== row).map((line) => line.filter((_, j) => j !== column));
  return (
    <div class="payoffs">
      <div class="scrolled">
        <table ref={frame}>
          <caption class="unseen">{say("matrix_payoffs")}</caption>
          <thead>
            <tr>
              <td />
              {grid[0]?.map((_, column) => (
                <th key={column} scope="col">
                  {names.columns[column] ?? column}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {grid.map((line, row) => (
              <tr key={row}>
                <th scope="row">{names.rows[row] ?? row}</th>
                {line.map((cell, column) => {
                  const saddle = marked.has(`${row} ${column}`);
                  return (
                    <td key={column} class={`${saddle ? "saddle" : ""}${isDominated(row, column) ? " gone" : ""}`}>
                      <input
                        inputMode="text"
                        data-cell={`${row} ${column}`}
                        value={cell}
                        autocomplete="off"
                        spellcheck={false}
                        aria-label={say("matrix_cell", { row, column }) + (saddle ? `, ${say("matrix_saddle_point")}` : "")}
                        onFocus={(event) => event.currentTarget.select()}
                        onInput={(event) => put(overlay(grid, [[tidyCell(event.currentTarget.value)]], row, column))}
                        onKeyDown={(event) => key(event, row, column)}
                        onPaste={(event) => {
                          const pasted = event.clipboardData?.getData("text/plain") ?? "";
                          if (!hasSeveralCells(pasted)) return;
                          event.preventDefault();
                          void paste(pasted, row, column);
                        }}
                      />
                      {saddle && (
                        <span class="saddle-sign" aria-hidden="true">
                          ★
                        </span>
                      )}
                    </td>
                  );
                })}
                <td>
                  <button type="button" class="icon quiet" disabled={tall < 2} aria-label={say("matrix_remove_row", { row })} title={say("matrix_remove_row", { row })} onClick={() => put(without(row, -1))}>
                    <span aria-hidden="true">×</span>
                  </button>
                </td>
              </tr>
            ))}
            <tr>
              <td />
              {grid[0]?.map((_, column) => (
                <td key={column}>
                  <button
                    type="button"
                    class="icon quiet"
                    disabled={wide < 2}
                    aria-label={say("matrix_remove_column", { column })}
                    title={say("matrix_remove_column", { column })}
                    onClick={() => put(without(-1, column))}
                  >
                    <span aria-hidden="true">×</span>
                  </button>
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
      <div class="copies">
        <button type="button" class="plain" disabled={tall >= MAX_SIDE} onClick={() => put([...grid, Array.from({ length: wide }, () => "0")])}>
          {say("matrix_add_row")}
        </button>
        <button type="button" class="plain" disabled={wide >= MAX_SIDE} onClick={() => put(grid.map((line) => [...line, "0"]))}>
          {say("matrix_add_column")}
        </button>
      </div>
    </div>
  );
}

/** A mixed strategy, as bars with exact fractions. */
function Strategy({ title, weights, names, unique, extreme }: { title: string; weights: string[]; names: string[]; unique: boolean; extreme: string[][] }) {
  const { say } = usePage();
  return (
    <div class="strategy">
      <h3>
        {title} {!unique && <span class="note">{say("matrix_not_unique")}</span>}
      </h3>
      <ol>
        {weights.map((weight, index) => (
          <li key={index} class={weight === "0" ? "never" : ""}>
            <span class="strategy-name">{names[index] ?? index}</span>
            <svg viewBox="0 0 200 16" preserveAspectRatio="none" aria-hidden="true">
              <rect class="strategy-room" width="200" height="16" rx="3" />
              <rect class="bar" width={200 * fractionValue(weight)} height="16" rx="3" />
            </svg>
            <span class="strategy-weight">{weight}</span>
          </li>
        ))}
      </ol>
      {extreme.length > 1 && (
        <p class="note">
          {say("matrix_extreme")} {extreme.map((weights) => `(${weights.join(", ")})`).join("; ")}
        </p>
      )}
    </div>
  );
}

function DominanceSteps({ answer, names }: { answer: MatrixAnswer; names: Names }) {
  const { say } = usePage();
  const steps = answer.dominance?.steps ?? [];
  return (
    <div class="dominance">
      <h3>{say("matrix_dominance")}</h3>
      {steps.length === 0 ?
        <p class="note">{say("dominance_nothing")}</p>
      : <ol>
          {steps.map((step, index) => {
            const [word, own] = step.player === "row" ? (["matrix_row", names.rows] as const) : (["matrix_column", names.columns] as const);
            const name = (which: number) => say(word, { index: own[which] ?? which });
            const by = step.by.map(([which, weight]) => (weight === "1" ? name(which) : `${weight} × ${name(which)}`)).join(" + ");
            return <li key={index}>{say(step.strict ? "dominance_by_strict" : "dominance_by_weak", { strategy: name(step.strategy), by })}</li>;
          })}
        </ol>
      }
    </div>
  );
}
