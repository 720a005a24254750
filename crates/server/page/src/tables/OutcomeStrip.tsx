// A strip of a table with one variable: outcomes with their values.
import { useState } from "preact/hooks";
import type { TableAnswer } from "../engine/answers.ts";
import { glyph, tintOfOutcome } from "../outcome.ts";
import { usePage } from "../state/page.ts";
import { Genus } from "../value/Genus.tsx";
import { rowsOf, valueText } from "./copies.ts";

const SHOWN = 400;

interface Props {
  table: TableAnswer;
  open(values: Record<string, number>): void;
}

export function OutcomeStrip({ table, open }: Props) {
  const { say } = usePage();
  const [all, setAll] = useState(false);
  const rows = rowsOf(table);
  const name = table.variables[0] ?? "n";
  const shown = all ? rows : rows.slice(0, SHOWN);
  return (
    <>
      <ol class="outcomes" aria-label={say("table_strip", { family: table.family })}>
        {shown.map((row) => {
          const at = row.at[0] ?? 0;
          const value = valueText(row);
          const words = `${name} = ${at}: ${glyph(row.outcome)}${value === "" ? "" : `, ${say(row.genus === undefined ? "grundy_value" : "genus")} ${value}`}`;
          return (
            <li key={at} class={row.genus === undefined ? "" : "of-genus"}>
              <span class="outcome-index" aria-hidden="true">
                {at}
              </span>
              <button type="button" class={`cell tint-${tintOfOutcome(row.outcome)}${row.outcome === "P" ? " is-p" : ""}`} aria-label={words} title={words} onClick={() => open({ [name]: at })}>
                {glyph(row.outcome)}
              </button>
              <span class="outcome-value" aria-hidden="true">
                {row.genus === undefined ? value : <Genus text={row.genus} />}
              </span>
            </li>
          );
        })}
      </ol>
      {shown.length < rows.length && (
        <button type="button" class="plain" onClick={() => setAll(true)}>
          {say("table_all", { count: rows.length })}
        </button>
      )}
    </>
  );
}
