// Conversion between the notation of Hackenbush and graphs and their drawings.
import { picture } from "../svg.ts";
import { type Argument, type Call, type Literal, list, text } from "./literal.ts";
import { type Colour, type Dot, type Kind, type Line, type Sketch, type Spot, snapToGrid } from "./sketch.ts";

export interface Figure {
  kind: Kind;
  /**
   * Returns the drawing of a call, without places; `null` if the call contains more than a drawing
   * can show.
   */
  read(call: Call): Sketch | null;
  write(sketch: Sketch, before: Call): Call;
}

const PLAIN: Kind = { ground: false, coloured: false, arrows: false, counter: false, marks: [], multiple: false, numbered: false };

const dot = (name: string): Dot => ({ name, x: 0, y: 0 });

/** Parses a text such as `0-1:g 1-2 4`. */
function readLines(written: string, grounds: Set<string>): Sketch | null {
  const dots: Dot[] = [];
  const lines: Line[] = [];
  const places = new Map<string, number>();
  const place = (name: string): number => {
    if (grounds.has(name)) return dots.push({ ...dot(name), ground: true }) - 1;
    const known = places.get(name);
    if (known !== undefined) return known;
    places.set(name, dots.length);
    return dots.push(dot(name)) - 1;
  };
  for (const piece of written.split(/[\s,;]+/).filter((part) => part !== "")) {
    const found = /^(\d{1,9})(?:-(\d{1,9}))?(?::([gbr]))?$/.exec(piece);
    if (!found) return null;
    const [, a = "", b, colour = "g"] = found;
    if (b === undefined) place(a);
    else lines.push({ a: place(a), b: place(b), colour: colour as Colour });
  }
  return { dots, lines };
}

/** Returns the text of a drawing. */
function writtenLines(sketch: Sketch, coloured: boolean): string {
  const name = (index: number): string => sketch.dots[index]?.name ?? "0";
  const lines = sketch.lines.map(({ a, b, colour }) => `${name(a)}-${name(b)}${coloured && colour !== "g" ? `:${colour}` : ""}`);
  return lines.join(" ");
}

/** Returns the names of dots without lines. */
function isolatedNames(sketch: Sketch): string[] {
  const used = new Set(sketch.lines.flatMap((line) => [line.a, line.b]));
  return sketch.dots.filter((_, index) => !used.has(index)).map((dot) => dot.name);
}

const textOf = (literal: Literal | undefined): string | null => (literal?.kind === "text" ? literal.value : null);

/** Returns the ground vertices, given as a number or as a list. */
function groundsIn(argument: Argument | undefined): string[] | null {
  if (!argument) return ["0"];
  const all = argument.value.kind === "list" ? argument.value.items : [argument.value];
  const names = all.map((one) => (one.kind === "number" && one.value >= 0 ? String(one.value) : null));
  const known = names.filter((name) => name !== null);
  return (argument.key ?? "ground") === "ground" && known.length > 0 && known.length === names.length ? known : null;
}

const hackenbush: Figure = {
  kind: { ...PLAIN, ground: true, coloured: true, multiple: true },
  read({ args }) {
    const edges = textOf(args[0]?.value);
    const grounds = groundsIn(args[1]);
    if (edges === null || args[0]?.key !== undefined || args.length > 2 || grounds === null) return null;
    const sketch = readLines(edges, new Set(grounds));
    return sketch && args[1] ? { ...sketch, grounds } : sketch;
  },
  write: (sketch, before) => ({ name: "hackenbush", args: [{ value: text(writtenLines(sketch, true)) }, ...before.args.slice(1, 2)] }),
};

const nodeKayles: Figure = {
  kind: PLAIN,
  read({ args }) {
    const edges = textOf(args[0]?.value);
    const sketch = edges === null || args.length !== 1 ? null : readLines(edges, new Set());
    if (!sketch) return null;
    // Dots sorted by their numbers, as the engine draws them.
    const order = sketch.dots.map((_, index) => index).sort((one, other) => Number(sketch.dots[one]?.name) - Number(sketch.dots[other]?.name));
    const place = new Map(order.map((index, at) => [index, at]));
    return {
      dots: order.flatMap((index) => sketch.dots[index] ?? []),
      lines: sketch.lines.map((line) => ({ ...line, a: place.get(line.a) ?? 0, b: place.get(line.b) ?? 0 })),
    };
  },
  write: (sketch) => ({ name: "node_kayles", args: [{ value: text([writtenLines(sketch, false), ...isolatedNames(sketch)].join(" ").trim()) }] }),
};

const coloured = (name: string): Figure => ({
  kind: { ...PLAIN, marks: [".", "L", "R"], numbered: true },
  read({ args }) {
    const [edges, colours] = [textOf(args[0]?.value), textOf(args[1]?.value)];
    if (edges === null || colours === null || args.length !== 2) return null;
    const dots = [...colours].map((mark, index): Dot => ({ ...dot(String(index)), mark }));
    const lines: Line[] = [];
    for (const piece of edges.split(/[\s,;]+/).filter((part) => part !== "")) {
      const [a, b] = (/^(\d{1,4})-(\d{1,4})$/.exec(piece) ?? []).slice(1).map(Number);
      if (a === undefined || b === undefined || !dots[a] || !dots[b]) return null;
      lines.push({ a, b, colour: "g" });
    }
    return { dots, lines };
  },
  write: (sketch) => ({
    name,
    args: [{ value: text(writtenLines(sketch, false)) }, { value: text(sketch.dots.map((dot) => dot.mark ?? ".").join("")) }],
  }),
});

const vertexName = (literal: Literal): string | null =>
  literal.kind === "text" ? literal.value
  : literal.kind === "number" ? String(literal.value)
  : null;

const graph: Figure = {
  kind: { ...PLAIN, arrows: true, counter: true },
  read({ args }) {
    const [edges, start] = [args[0]?.value, args[1]?.value];
    if (!edges || !start || args.length !== 2) return null;
    const pairs: [string, string | null][] = [];
    if (edges.kind === "map") {
      for (const [from, to] of edges.entries) {
        const name = vertexName(from);
        if (name === null || to.kind !== "list") return null;
        pairs.push([name, null]);
        for (const item of to.items) {
          const other = vertexName(item);
          if (other === null) return null;
          pairs.push([name, other]);
        }
      }
    } else if (edges.kind === "list") {
      for (const pair of edges.items) {
        if (pair.kind !== "list" || pair.items.length !== 2) return null;
        const [from, to] = pair.items.map(vertexName);
        if (from === null || from === undefined || to === null || to === undefined) return null;
        pairs.push([from, to]);
      }
    } else return null;
    const dots: Dot[] = [];
    const places = new Map<string, number>();
    const place = (name: string): number => {
      const known = places.get(name);
      if (known !== undefined) return known;
      places.set(name, dots.length);
      return dots.push(dot(name)) - 1;
    };
    for (const [from] of pairs) place(from);
    const lines = pairs.flatMap(([from, to]): Line[] => (to === null ? [] : [{ a: place(from), b: place(to), colour: "g" }]));
    const counter = vertexName(start);
    return counter === null ? null : { dots, lines, start: place(counter) };
  },
  write: (sketch) => ({
    name: "graph",
    args: [
      {
        value: {
          kind: "map",
          entries: sketch.dots.map((dot, index) => [
            text(dot.name),
            list(sketch.lines.filter((line) => line.a === index).map((line) => text(sketch.dots[line.b]?.name ?? ""))),
          ]),
        },
      },
      { value: text(sketch.dots[sketch.start ?? 0]?.name ?? "") },
    ],
  }),
};

export const FIGURES: Record<string, Figure> = {
  hackenbush,
  node_kayles: nodeKayles,
  col: coloured("col"),
  snort: coloured("snort"),
  graph,
};

/** The number of rows of a small grid; the ground is the last one. */
const ROWS = 8;
/** The number of dots above which the grid has more rows. */
const CROWD = 60;
/** The maximum size of the grid. */
const MOST = { columns: 60, rows: 30 };

/** The size of the grid: the numbers of its last column and its last row, counted from 0. */
export interface Paper {
  columns: number;
  rows: number;
}

/** Returns a grid with at least this many columns and with room for a drawing. */
export function paperFor(sketch: Sketch, columns: number): Paper {
  const furthest = (values: number[], least: number) => values.reduce((most, value) => Math.max(most, value), least);
  return { columns: furthest(sketch.dots.map((dot) => dot.x), columns), rows: furthest(sketch.dots.map((dot) => dot.y), ROWS) };
}

/**
 * Returns the places of the dots in the picture drawn by the engine; `null` for dots that it does
 * not show.
 */
function placesInPicture(sketch: Sketch, kind: Kind, svg: string): (Spot | null)[] {
  const image = picture(svg);
  const spots: (Spot | null)[] = sketch.dots.map(() => null);
  if (!image) return spots;
  if (kind.ground) {
    for (const group of image.querySelectorAll<SVGGElement>("g.move")) {
      const line = sketch.lines[Number(group.dataset.at)];
      const numbers = (group.querySelector("path")?.getAttribute("d") ?? "").match(/-?[\d.]+/g)?.map(Number) ?? [];
      const ends: Spot[] = [
        { x: numbers[0] ?? 0, y: numbers[1] ?? 0 },
        { x: numbers.at(-2) ?? 0, y: numbers.at(-1) ?? 0 },
      ];
      if (!line || numbers.length < 4) continue;
      spots[line.a] ??= ends[0] ?? null;
      spots[line.b] ??= ends[1] ?? null;
    }
    return spots;
  }
  [...image.querySelectorAll("circle.vertex")].forEach((circle, index) => {
    if (index < spots.length) spots[index] = { x: Number(circle.getAttribute("cx")), y: Number(circle.getAttribute("cy")) };
  });
  return spots;
}

/** Returns the drawing with places taken from the picture, or on a circle without a picture. */
export function layOut(sketch: Sketch, kind: Kind, svg: string | null, columns: number): { sketch: Sketch; paper: Paper } {
  const pictured = svg === null ? sketch.dots.map(() => null) : placesInPicture(sketch, kind, svg);
  if (pictured.some((spot) => spot === null)) {
    // On a circle of this size no two dots fall on the same grid point.
    const round = Math.ceil(sketch.dots.length / 3);
    const paper = { columns: Math.min(MOST.columns, Math.max(columns, round)), rows: Math.min(MOST.rows, Math.max(ROWS, Math.ceil(round / 2))) };
    const middle = { x: paper.columns / 2, y: (paper.rows - (kind.ground ? 1 : 0)) / 2 };
    const around = sketch.dots.map((dot, index) => {
      const angle = (2 * Math.PI * index) / Math.max(sketch.dots.length, 1) - Math.PI / 2;
      const wide = Math.min(paper.columns / 2 - 0.6, paper.rows * 0.72);
      return { ...dot, x: middle.x + wide * Math.cos(angle), y: middle.y + (paper.rows / 2 - 0.6) * Math.sin(angle) };
    });
    return { sketch: snapToGrid({ ...sketch, dots: around }, paper.columns, paper.rows), paper };
  }
  const spots = pictured.map((spot) => spot ?? { x: 0, y: 0 });
  const bounds = (values: number[]): [number, number] => values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity]);
  const [left, right] = bounds(spots.map((spot) => spot.x));
  const [top, bottom] = bounds(spots.map((spot) => spot.y));
  const step = kind.ground ? 26 : 33;
  const tall = (bottom - top) / step;
  const wide = (right - left) / step;
  // An edge is two cells long. A crowded drawing gets a larger grid, any other is scaled to the
  // grid.
  const crowded = sketch.dots.length > CROWD;
  const rows = crowded ? Math.min(MOST.rows, Math.max(ROWS, Math.ceil(tall + 0.5))) : ROWS;
  const room = rows - 0.5;
  const scale = tall > room ? room / tall : wide > columns && wide / 2 <= columns ? columns / wide : 1;
  const needed = Math.max(columns, Math.min(Math.ceil(wide * scale), MOST.columns));
  const across = wide * scale > needed ? needed / wide : scale;
  const shift = Math.floor((needed - wide * across) / 2);
  const lift = kind.ground ? rows - tall * scale : (rows - tall * scale) / 2;
  const dots = sketch.dots.map((dot, index) => {
    const spot = spots[index] ?? { x: 0, y: 0 };
    return { ...dot, x: shift + ((spot.x - left) / step) * across, y: lift + ((spot.y - top) / step) * scale };
  });
  return { sketch: snapToGrid({ ...sketch, dots }, needed, rows), paper: { columns: needed, rows } };
}
