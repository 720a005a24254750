// The payoffs of a matrix, as texts in a grid.

export type Grid = string[][];

/** The maximum number of rows and columns; larger matrices need the command line. */
export const MAX_SIDE = 24;

export const readGrid = (text: string): Grid => {
  const rows = text.split(";").map((row) => row.split(",").map((cell) => cell.trim()));
  const width = Math.max(...rows.map((row) => row.length));
  return rows.map((row) => [...row, ...Array.from({ length: width - row.length }, () => "")]);
};

export const gridText = (grid: Grid): string => grid.map((row) => row.map((cell) => cell.replace(/[,;\s]/g, "")).join(",")).join(";");

export const csv = (grid: Grid): string => grid.map((row) => row.join(",")).join("\n");

export const complete = (grid: Grid): boolean => grid.every((row) => row.every((cell) => cell !== ""));

/** Normalizes a typed number: a fraction or decimal, with any kind of minus sign. */
export const tidyCell = (text: string): string => text.trim().replace(/[−–]/g, "-").replace(/\s*\/\s*/, "/");

/** Parses cells copied from a spreadsheet; returns `null` for a single number. */
export function parseCells(text: string): Grid | null {
  const lines = text.replace(/\r/g, "").split("\n").filter((line) => line.trim() !== "");
  const split = (line: string) => (line.includes("\t") ? line.split("\t") : line.split(/\s*[,;]\s*|\s+/));
  const grid = lines.map((line) => split(line.trim()).map(tidyCell));
  return grid.length > 1 || (grid[0]?.length ?? 0) > 1 ? grid : null;
}

/** Returns the grid with another one pasted at a place, enlarged if necessary. */
export function overlay(grid: Grid, part: Grid, row: number, column: number): Grid {
  const height = Math.min(MAX_SIDE, Math.max(grid.length, row + part.length));
  const width = Math.min(MAX_SIDE, Math.max(grid[0]?.length ?? 0, column + Math.max(...part.map((line) => line.length))));
  return Array.from({ length: height }, (_, i) => Array.from({ length: width }, (_, j) => part[i - row]?.[j - column] ?? grid[i]?.[j] ?? "0"));
}

/** Converts a fraction to a number, for drawing. */
export const fractionValue = (fraction: string): number => {
  const [over = "0", under = "1"] = fraction.split("/");
  return Number(over) / Number(under);
};
