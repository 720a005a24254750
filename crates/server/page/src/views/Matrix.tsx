// Matrix games: a grid of payoffs, solved exactly while it is edited.
import { useRef } from "preact/hooks";
import { Picture } from "../board/Picture.tsx";
import { saveFile } from "../copying/clipboard.ts";
import type { MatrixAnswer } from "../engine/answers.ts";
import { MAX_SIDE, complete, csv, overlay, parseCells, readGrid, fractionValue, tidyCell, gridText, type Grid } from "../matrix/grid.ts";
import { Choice } from "../shell/Choice.tsx";
import { Examples } from "../shell/Examples.tsx";
import { PendingIndicator } from "../shell/PendingIndicator.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { useRequest } from "../state/request.ts";
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
  const { state, change, say } = usePage();
  const text = state.more.matrix ?? EXAMPLES[0]?.grid ?? "1";
  const grid = readGrid(text);
  const dominance = (["strict", "weak", "mixed"] as const).find((kind) => kind === state.more["matrix.dominance"]);
  const small = grid.length === 2 || grid[0]?.length === 2;
  const ready = complete(grid);
  const { answer, trouble, pending } = useRequest(
    "matrix",
    ready ?
      {
        file: FILE,
        files: { [FILE]: csv(grid) },
        lang: state.lang,
        certificate: "certificate.json",
        ...(small ? { svg: "matrix.svg" } : {}),
        ...(dominance ? { dominance } : {}),
        extreme: 20,
      }
    : null,
    { keep: true },
  );
  const put = (next: Grid) => change((now) => ({ ...now, more: { ...now.more, matrix: gridText(next) } }));
  const solved = answer && !trouble && ready && answer.rows === grid.length && answer.columns === grid[0]?.length ? answer : null;
  const certificate = solved?.files?.["certificate.json"];
  const svg = solved?.files?.["matrix.svg"];
  return (
    <div class="matrix-view">
      <div class="question-bar">
        <Examples examples={EXAMPLES} title={(example) => say(example.word)} choose={(example) => put(readGrid(example.grid))} />
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
          <Payoffs grid={grid} answer={solved} put={put} />
          {!ready && <p class="note">{say("matrix_incomplete")}</p>}
          {trouble && <Trouble trouble={trouble} />}
          {pending && !answer && <PendingIndicator pending />}
        </div>
        {solved && (
          <section class="found matrix-found">
            <h2>{say("matrix_value", { value: solved.value })}</h2>
            <p class="telling">{say(solved.saddle_points.length > 0 ? "matrix_saddle" : "matrix_mixed", { count: solved.saddle_points.length, maximin: solved.maximin, minimax: solved.minimax })}</p>
            <Strategy title={say("matrix_row_plays")} weights={solved.row_strategy} unique={solved.row_unique} extreme={solved.extreme?.row.strategies ?? []} />
            <Strategy title={say("matrix_column_plays")} weights={solved.col_strategy} unique={solved.col_unique} extreme={solved.extreme?.col.strategies ?? []} />
            {solved.dominance && <DominanceSteps answer={solved} />}
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

function Payoffs({ grid, answer, put }: { grid: Grid; answer: MatrixAnswer | null; put(grid: Grid): void }) {
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
                  {column}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {grid.map((line, row) => (
              <tr key={row}>
                <th scope="row">{row}</th>
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
                          const part = parseCells(event.clipboardData?.getData("text/plain") ?? "");
                          if (!part) return;
                          event.preventDefault();
                          put(overlay(grid, part, row, column));
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
function Strategy({ title, weights, unique, extreme }: { title: string; weights: string[]; unique: boolean; extreme: string[][] }) {
  const { say } = usePage();
  return (
    <div class="strategy">
      <h3>
        {title} {!unique && <span class="note">{say("matrix_not_unique")}</span>}
      </h3>
      <ol>
        {weights.map((weight, index) => (
          <li key={index} class={weight === "0" ? "never" : ""}>
            <span class="strategy-name">{index}</span>
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

function DominanceSteps({ answer }: { answer: MatrixAnswer }) {
  const { say } = usePage();
  const steps = answer.dominance?.steps ?? [];
  return (
    <div class="dominance">
      <h3>{say("matrix_dominance")}</h3>
      {steps.length === 0 ?
        <p class="note">{say("dominance_nothing")}</p>
      : <ol>
          {steps.map((step, index) => {
            const name = (which: number) => say(step.player === "row" ? "matrix_row" : "matrix_column", { index: which });
            const by = step.by.map(([which, weight]) => (weight === "1" ? name(which) : `${weight} × ${name(which)}`)).join(" + ");
            return <li key={index}>{say(step.strict ? "dominance_by_strict" : "dominance_by_weak", { strategy: name(step.strategy), by })}</li>;
          })}
        </ol>
      }
    </div>
  );
}
