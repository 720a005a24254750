// Drawings of dots and lines: the data of the editor of Hackenbush pictures and graphs, without any
// rules of games.

/** The size of a cell of the grid, in pixels. */
export const CELL = 48;

export interface Dot {
  /** The name in the notation; dots on the ground have the name of the ground. */
  name: string;
  /** The place on the grid. */
  x: number;
  y: number;
  ground?: boolean;
  /** The letter of a dot in games with coloured vertices. */
  mark?: string;
}

export interface Line {
  /** The indices of the two dots. */
  a: number;
  b: number;
  colour: Colour;
}

export type Colour = "g" | "b" | "r";
export const COLOURS: Colour[] = ["g", "b", "r"];

export interface Sketch {
  dots: Dot[];
  lines: Line[];
  /** The index of the dot with the counter. */
  start?: number;
  /** The names of the ground vertices, unless it is only 0. */
  grounds?: string[];
}

/** The kind of a drawing. */
export interface Kind {
  /** `true` if there is a ground that lines grow from. */
  ground: boolean;
  /** `true` if lines are green, blue or red. */
  coloured: boolean;
  /** `true` if lines are arrows. */
  arrows: boolean;
  /** `true` if one dot has a counter. */
  counter: boolean;
  /** The letters that a dot may have; a new dot has the first one. */
  marks: string[];
  /** `true` if loops and multiple lines are allowed. */
  multiple: boolean;
  /** `true` if the dots must be numbered without gaps. */
  numbered: boolean;
}

export const dotAt = (sketch: Sketch, x: number, y: number, reach = 0.45): number => {
  let best = -1;
  let least = reach;
  sketch.dots.forEach((dot, index) => {
    const distance = Math.hypot(dot.x - x, dot.y - y);
    if (distance <= least) {
      least = distance;
      best = index;
    }
  });
  return best;
};

export const groundsOf = (sketch: Sketch): string[] => sketch.grounds ?? ["0"];

/** Returns the smallest number, or the first letter, that is not used as a name. */
function freshName(sketch: Sketch, kind: Kind): string {
  const used = new Set([...(kind.ground ? groundsOf(sketch) : []), ...sketch.dots.map((dot) => dot.name)]);
  const lettered = sketch.dots.length > 0 && sketch.dots.every((dot) => /^[a-z]$/.test(dot.name));
  if (lettered) for (const letter of "abcdefghijklmnopqrstuvwxyz") if (!used.has(letter)) return letter;
  for (let next = 0; ; next += 1) if (!used.has(String(next))) return String(next);
}

export function withDot(sketch: Sketch, kind: Kind, x: number, y: number, ground = false): [Sketch, number] {
  const name = ground ? (groundsOf(sketch)[0] ?? "0") : freshName(sketch, kind);
  const dot: Dot = { name, x, y, ...(ground ? { ground } : {}), ...(kind.marks.length > 0 ? { mark: kind.marks[0] ?? "" } : {}) };
  const next: Sketch = { ...sketch, dots: [...sketch.dots, dot] };
  if (kind.counter && next.start === undefined) next.start = next.dots.length - 1;
  return [next, next.dots.length - 1];
}

export function withLine(sketch: Sketch, kind: Kind, a: number, b: number, colour: Colour): Sketch {
  const same = (line: Line) => (line.a === a && line.b === b) || (!kind.arrows && line.a === b && line.b === a);
  if (!kind.multiple && (sketch.lines.some(same) || (a === b && !kind.arrows))) return sketch;
  return { ...sketch, lines: [...sketch.lines, { a, b, colour: kind.coloured ? colour : "g" }] };
}

/** Returns the drawing without the dots selected by `removed` and without their lines. */
function without(sketch: Sketch, removed: (dot: Dot, index: number) => boolean): Sketch {
  const indices = new Map<number, number>();
  const dots = sketch.dots.filter((dot, index) => {
    if (removed(dot, index)) return false;
    indices.set(index, indices.size);
    return true;
  });
  const lines = sketch.lines.flatMap((line) => {
    const [a, b] = [indices.get(line.a), indices.get(line.b)];
    return a === undefined || b === undefined ? [] : [{ ...line, a, b }];
  });
  const next: Sketch = { ...sketch, dots, lines };
  const start = sketch.start === undefined ? undefined : (indices.get(sketch.start) ?? (dots.length > 0 ? 0 : undefined));
  if (start !== undefined) next.start = start;
  else delete next.start;
  return next;
}

/** Normalizes a drawing: removes dots on the ground without lines, and gaps in the numbers. */
export function tidy(sketch: Sketch, kind: Kind): Sketch {
  const used = new Set(sketch.lines.flatMap((line) => [line.a, line.b]));
  const kept = kind.ground ? without(sketch, (_, index) => !used.has(index)) : sketch;
  if (!kind.numbered) return kept;
  return { ...kept, dots: kept.dots.map((dot, index) => ({ ...dot, name: String(index) })) };
}

export const withoutDot = (sketch: Sketch, kind: Kind, gone: number): Sketch => tidy(without(sketch, (_, index) => index === gone), kind);

export const withoutLine = (sketch: Sketch, kind: Kind, gone: number): Sketch =>
  tidy({ ...sketch, lines: sketch.lines.filter((_, index) => index !== gone) }, kind);

export const withColour = (sketch: Sketch, index: number, colour: Colour): Sketch => ({
  ...sketch,
  lines: sketch.lines.map((line, at) => (at === index ? { ...line, colour } : line)),
});

export const withMark = (sketch: Sketch, index: number, mark: string): Sketch => ({
  ...sketch,
  dots: sketch.dots.map((dot, at) => (at === index ? { ...dot, mark } : dot)),
});

export const withPlace = (sketch: Sketch, index: number, x: number, y: number): Sketch => ({
  ...sketch,
  dots: sketch.dots.map((dot, at) => (at === index ? { ...dot, x, y } : dot)),
});

export interface Spot {
  x: number;
  y: number;
}

/** The path of a line, in cells; parallel lines are curved. */
export interface LinePath {
  path: string;
  middle: Spot;
  /** The direction of the arrow at the end, as a pair of points. */
  tip: [Spot, Spot];
}

const round = (value: number): number => Math.round(value * 100) / 100;

export function linePaths(sketch: Sketch): LinePath[] {
  const groups = new Map<string, number[]>();
  sketch.lines.forEach((line, index) => {
    const key = [line.a, line.b].sort((one, other) => one - other).join(" ");
    groups.set(key, [...(groups.get(key) ?? []), index]);
  });
  return sketch.lines.map((line, index) => {
    const [a, b] = [sketch.dots[line.a], sketch.dots[line.b]];
    if (!a || !b) return { path: "", middle: { x: 0, y: 0 }, tip: [{ x: 0, y: 0 }, { x: 0, y: 0 }] };
    const group = groups.get([line.a, line.b].sort((one, other) => one - other).join(" ")) ?? [index];
    const place = group.indexOf(index);
    if (line.a === line.b) {
      const size = 0.95 + 0.4 * place;
      const [one, two] = [{ x: a.x - size, y: a.y - 1.35 * size }, { x: a.x + size, y: a.y - 1.35 * size }];
      return {
        path: `M ${a.x} ${a.y} C ${round(one.x)} ${round(one.y)}, ${round(two.x)} ${round(two.y)}, ${a.x} ${a.y}`,
        middle: { x: a.x, y: a.y - size },
        tip: [two, a],
      };
    }
    let bend = (place - (group.length - 1) / 2) * 0.75;
    // The curvature is relative to one fixed direction, whichever end of the line was drawn first.
    if (line.a > line.b) bend = -bend;
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const length = Math.hypot(dx, dy) || 1;
    const bow = { x: (a.x + b.x) / 2 - (dy / length) * bend, y: (a.y + b.y) / 2 + (dx / length) * bend };
    const middle = { x: (a.x + b.x) / 4 + bow.x / 2, y: (a.y + b.y) / 4 + bow.y / 2 };
    const path = bend === 0 ? `M ${a.x} ${a.y} L ${b.x} ${b.y}` : `M ${a.x} ${a.y} Q ${round(bow.x)} ${round(bow.y)}, ${b.x} ${b.y}`;
    return { path, middle, tip: [bend === 0 ? a : bow, b] };
  });
}

/** Returns the path of an arrow in pixels, shortened to end before the dot. */
export function shortenedPath({ path, tip: [from, to] }: LinePath, rim = 16): string {
  const numbers = path.match(/-?[\d.]+/g)?.map((value) => Number(value) * CELL) ?? [];
  const [dx, dy] = [(to.x - from.x) * CELL, (to.y - from.y) * CELL];
  const length = Math.hypot(dx, dy) || 1;
  const letters = path.replace(/-?[\d.]+/g, "#");
  numbers[numbers.length - 2] = (numbers.at(-2) ?? 0) - (dx / length) * rim;
  numbers[numbers.length - 1] = (numbers.at(-1) ?? 0) - (dy / length) * rim;
  let at = 0;
  return letters.replace(/#/g, () => String(Math.round((numbers[at++] ?? 0) * 10) / 10));
}

/**
 * Returns the distance of a point from a line, approximated by the ends and the middle of the line.
 */
export function distanceTo(sketch: Sketch, index: number, run: LinePath, x: number, y: number): number {
  const line = sketch.lines[index];
  const [a, b] = line ? [sketch.dots[line.a], sketch.dots[line.b]] : [];
  if (!a || !b) return Infinity;
  const between = (p: Spot, q: Spot): number => {
    const [dx, dy] = [q.x - p.x, q.y - p.y];
    const length = dx * dx + dy * dy;
    const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - p.x) * dx + (y - p.y) * dy) / length));
    return Math.hypot(p.x + t * dx - x, p.y + t * dy - y);
  };
  return Math.min(between(a, run.middle), between(run.middle, b));
}

/**
 * Returns the drawing moved onto the grid, with all dots at distinct points; `rows` is the row of
 * the ground.
 */
export function snapToGrid(sketch: Sketch, columns: number, rows: number): Sketch {
  const used = new Set<string>();
  const dots = sketch.dots.map((dot) => {
    const y = dot.ground ? rows : Math.max(dot.y, 0);
    let best = { x: Math.round(dot.x), y: dot.ground ? rows : Math.round(y) };
    let least = Infinity;
    for (let row = 0; row <= rows; row += 1) {
      if (dot.ground !== undefined ? row !== rows : row === rows && sketch.dots.some((other) => other.ground)) continue;
      for (let column = 0; column <= columns; column += 1) {
        const distance = Math.hypot(column - dot.x, row - y);
        if (distance < least && !used.has(`${column} ${row}`)) {
          least = distance;
          best = { x: column, y: row };
        }
      }
    }
    used.add(`${best.x} ${best.y}`);
    return { ...dot, ...best };
  });
  return { ...sketch, dots };
}
