// Exports of tables for other tools.
import type { TableAnswer } from "../engine/answers.ts";
import { grundyText } from "../outcome.ts";
import type { Grundy } from "../engine/answers.ts";

export interface Row {
  at: number[];
  grundy?: Grundy;
  outcome?: string;
  genus?: string;
}

type Nested<T> = (T | null)[] | (T | null)[][];

/** Returns the cells of a table with one or two variables, in order. */
export function rowsOf(table: TableAnswer): Row[] {
  const [from = 0, under] = table.from;
  const cell = (i: number, j?: number) => {
    const pick = <T>(values: Nested<T> | undefined): T | undefined => {
      const first = values?.[i];
      const value = j === undefined ? first : Array.isArray(first) ? first[j] : undefined;
      return (value ?? undefined) as T | undefined;
    };
    const row: Row = { at: j === undefined ? [from + i] : [from + i, (under ?? 0) + j] };
    const [grundy, outcome, genus] = [pick<Grundy>(table.grundy), pick<string>(table.outcome), pick<string>(table.genus)];
    if (grundy !== undefined) row.grundy = grundy;
    if (outcome !== undefined) row.outcome = outcome;
    if (genus !== undefined) row.genus = genus;
    return row;
  };
  const count = (table.to[0] ?? 0) - from + 1;
  if (under === undefined) return Array.from({ length: count }, (_, i) => cell(i));
  const across = (table.to[1] ?? 0) - under + 1;
  return Array.from({ length: count }, (_, i) => Array.from({ length: across }, (_, j) => cell(i, j))).flat();
}

const grundyValue = (row: Row): string => (row.grundy === undefined ? "" : grundyText(row.grundy));

/** Returns the genus or Grundy value of a cell as text; empty if it has none. */
export const valueText = (row: Row): string => row.genus ?? grundyValue(row);

/** Returns the table in the format of `grundy table --csv`. */
export function csv(table: TableAnswer): string {
  const quoted = (text: string) => (/,/.test(text) ? `"${text}"` : text);
  const [names, cells] =
    table.genus === undefined ? [["grundy", "outcome"], (row: Row) => [grundyValue(row), row.outcome ?? ""]] : [["genus"], (row: Row) => [row.genus ?? ""]];
  const lines = rowsOf(table).map((row) => [...row.at, ...cells(row).map(quoted)].join(","));
  return [[...table.variables, ...names].join(","), ...lines].join("\n") + "\n";
}

/** Returns the table in the format of `grundy table --bfile`; `null` if it has no numbers. */
export function bfile(table: TableAnswer): string | null {
  if (table.variables.length !== 1) return null;
  const rows = rowsOf(table);
  if (!rows.every((row) => row.grundy !== undefined && typeof row.grundy !== "object")) return null;
  return rows.map((row) => `${row.at[0]} ${grundyValue(row)}\n`).join("");
}

/** Returns the arguments of all P-positions: one number a line, or a pair for two variables. */
export function pPositions(table: TableAnswer): string {
  const isP = (row: Row) => (row.outcome === undefined ? row.grundy !== undefined && grundyValue(row) === "0" : row.outcome === "P");
  return rowsOf(table).filter(isP).map((row) => `${row.at.join(" ")}\n`).join("");
}

const TERMS = 24;

/**
 * Returns the search terms for the OEIS: the values, by antidiagonals for two variables, or else
 * the indices of the P-positions.
 */
export function oeisTerms(table: TableAnswer): string[] {
  const rows = rowsOf(table);
  const numbered = rows.every((row) => row.grundy !== undefined && typeof row.grundy !== "object");
  if (table.variables.length === 1) {
    if (numbered) return rows.slice(0, TERMS).map(grundyValue);
    return rows.filter((row) => row.outcome === "P").slice(0, TERMS).map((row) => String(row.at[0]));
  }
  if (!numbered) return [];
  const known = new Map(rows.map((row) => [row.at.join(" "), grundyValue(row)]));
  const terms: string[] = [];
  const [a = 0, b = 0] = table.from;
  for (let sum = 0; terms.length < TERMS; sum += 1) {
    const diagonal = Array.from({ length: sum + 1 }, (_, j) => known.get(`${a + sum - j} ${b + j}`));
    if (diagonal.some((term) => term === undefined)) break;
    terms.push(...diagonal.map(String));
  }
  return terms.slice(0, TERMS);
}

export const oeisLink = (terms: string[]): string => `https://oeis.org/search?q=${terms.join("%2C")}&language=english`;
