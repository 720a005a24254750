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

/** The names of the rows and of the columns; empty if there are none. */
export type Names = { rows: string[]; columns: string[] };

export const NO_NAMES: Names = { rows: [], columns: [] };

/** Parses names from the address of the page. */
export const readNames = (text: string | undefined): Names => {
  try {
    const [rows, columns]: unknown[] = JSON.parse(text ?? "[]");
    const list = (names: unknown) => (Array.isArray(names) ? names.map(String) : []);
    return { rows: list(rows), columns: list(columns) };
  } catch {
    return NO_NAMES;
  }
};

export const namesText = ({ rows, columns }: Names): string => (rows.length + columns.length > 0 ? JSON.stringify([rows, columns]) : "");

/** Returns the names that fit the grid: one for each row, and one for each column. */
export const fitting = (names: Names, grid: Grid): Names => ({
  rows: names.rows.length === grid.length ? names.rows : [],
  columns: names.columns.length === grid[0]?.length ? names.columns : [],
});

/** Returns the text of the game for the engine. */
export const gameText = (grid: Grid, names: Names): string =>
  names.rows.length + names.columns.length === 0 ?
    csv(grid)
  : JSON.stringify({
      matrix: grid,
      ...(names.rows.length > 0 ? { row_names: names.rows } : {}),
      ...(names.columns.length > 0 ? { col_names: names.columns } : {}),
    });

/** Returns whether a pasted text consists of several cells. Such a text is parsed by the engine. */
export const hasSeveralCells = (text: string): boolean => /[\s,;|&\]}]/.test(text.trim().replace(/\s*\/\s*/g, "/"));

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
