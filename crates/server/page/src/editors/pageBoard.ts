// Boards for positions of rule files and for graphs, for which the engine draws only text.
//
// The type of a position determines its board: letters are squares and numbers are heaps. A move is
// placed at the square or heap in which the position and the option differ. If the difference does
// not determine a place, the move is in the move list only. The markup is that of the engine's
// pictures, so that the same code makes it interactive.
import type { BoardAnswer, Move } from "../engine/answers.ts";
import { FIGURES } from "./figures.ts";
import { type Literal, termsOf } from "./literal.ts";
import { CELL, linePaths, shortenedPath } from "./sketch.ts";

type Shape = { what: "squares"; rows: string[]; letters: boolean } | { what: "heaps"; heaps: number[] };

const SIDE = 44;
const GAP = 36;
/** The size above which a heap is shown as a number. */
const MAX_CHIPS = 16;
/** The number of squares above which the engine's picture is used. */
const MAX_SQUARES = 400;
const EMPTY = /^[.\s_0-]$/;

const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Returns nested lists of numbers as one list; `null` if they contain anything else. */
function flat(literal: Literal): number[] | null {
  if (literal.kind === "number") return [literal.value];
  if (literal.kind !== "list") return null;
  const all = literal.items.map(flat);
  return all.every((part) => part !== null) ? all.flat() : null;
}

/**
 * Returns the shape of a position. A single text is always a row, even if its length is a square;
 * only lists of texts are grids.
 */
function shapeOf(literal: Literal | undefined): Shape | null {
  if (!literal) return null;
  if (literal.kind === "text") return literal.value === "" || literal.value.length > MAX_SQUARES ? null : { what: "squares", rows: [literal.value], letters: true };
  if (literal.kind === "list" && literal.items.length > 0 && literal.items.every((item) => item.kind === "text")) {
    const rows = literal.items.map((item) => (item.kind === "text" ? item.value : ""));
    return (rows[0] ?? "") !== "" && rows.join("").length <= MAX_SQUARES && rows.every((row) => row.length === rows[0]?.length) ? { what: "squares", rows, letters: true } : null;
  }
  const heaps = flat(literal);
  return heaps && heaps.length > 0 && heaps.length <= 40 && heaps.every((heap) => heap >= 0) ? { what: "heaps", heaps } : null;
}

const position = (term: string): Literal | undefined => {
  const call = termsOf(term)[0]?.call;
  return call?.name === "game" ? call.args[1]?.value : undefined;
};

/**
 * Returns the place of a move, a square or a chip of a heap, or `null` if the difference does not
 * determine one.
 */
function placeOf(before: Shape, after: Shape | null): { index: number; sign: string } | null {
  if (!after || after.what !== before.what) return null;
  if (before.what === "heaps" && after.what === "heaps") {
    if (before.heaps.length !== after.heaps.length) return null;
    const changed = before.heaps.flatMap((heap, index) => (heap === after.heaps[index] ? [] : [index]));
    const [index] = changed;
    const to = after.heaps[index ?? 0] ?? 0;
    if (changed.length !== 1 || index === undefined || to >= (before.heaps[index] ?? 0)) return null;
    return { index, sign: String(to) };
  }
  if (before.what !== "squares" || after.what !== "squares") return null;
  const [old, now] = [before.rows.join(""), after.rows.join("")];
  if (old.length !== now.length || before.rows.length !== after.rows.length) return null;
  const changed = [...old].flatMap((letter, index) => (letter === now[index] ? [] : [index]));
  const [one = 0, other = 0] = changed;
  if (changed.length === 1) return { index: one, sign: now[one] ?? "" };
  // The place of a move of a piece to a free square is the square of the piece.
  if (changed.length === 2 && old[one] === now[other] && old[other] === now[one]) {
    if (EMPTY.test(old[other] ?? "")) return { index: one, sign: other > one ? "→" : "←" };
    if (EMPTY.test(old[one] ?? "")) return { index: other, sign: other > one ? "←" : "→" };
  }
  return null;
}

interface Piece {
  width: number;
  height: number;
  /** The markup, with the origin at (0, 0). */
  parts: string[];
}

const rectangle = (classes: string, x: number, y: number, width: number, height: number, round = 3): string =>
  `<rect class="${classes} stroke-ink" fill="#ffffff" stroke="#222222" stroke-width="1" x="${x}" y="${y}" width="${width}" height="${height}" rx="${round}"/>`;

const letter = (classes: string, x: number, y: number, size: number, text: string): string =>
  `<text class="${classes}" x="${x}" y="${y}" font-family="sans-serif" font-size="${size}" text-anchor="middle" pointer-events="none" fill="#222222">${escaped(text)}</text>`;

const group = (move: Move, inside: string): string =>
  `<g class="move" data-component="${move.component}" data-at="${move.at.join(",")}"><title>${escaped(move.move)}</title>${inside}</g>`;

function squares(shape: Shape & { what: "squares" }, moves: Map<number, { move: Move; sign: string }[]>): Piece {
  const width = (shape.rows[0] ?? "").length;
  const parts: string[] = [];
  shape.rows.forEach((row, r) =>
    [...row].forEach((sign, c) => {
      const [x, y] = [c * SIDE, r * SIDE];
      const here = moves.get(r * width + c) ?? [];
      parts.push(rectangle(`scenery ${sign === "#" ? "fill-blocked" : "fill-square"}`, x, y, SIDE, SIDE));
      if (!EMPTY.test(sign) && sign !== "#") parts.push(letter("fill-ink", x + SIDE / 2, y + SIDE / 2 + 7, 20, sign));
      const across = Math.ceil(Math.sqrt(here.length));
      const down = Math.ceil(here.length / Math.max(across, 1));
      here.forEach(({ move, sign: next }, index) => {
        const [w, h] = [SIDE / across, SIDE / down];
        const [left, top] = [x + (index % across) * w, y + Math.floor(index / across) * h];
        const alone = here.length === 1 && !EMPTY.test(sign);
        const target = `<rect class="target stroke-shade" fill="#0072b2" fill-opacity="0.13" stroke="#e8ecef" stroke-width="1" x="${left + 1.5}" y="${top + 1.5}" width="${w - 3}" height="${h - 3}" rx="4"/>`;
        const mark = EMPTY.test(next) ? "" : letter("fill-soft", left + w / 2, alone ? y + SIDE - 5 : top + h / 2 + 5, alone ? 10 : 14, next);
        parts.push(group(move, target + mark));
      });
    }),
  );
  return { width: width * SIDE, height: shape.rows.length * SIDE, parts };
}

function heaps(shape: Shape & { what: "heaps" }, moves: Map<number, { move: Move; sign: string }[]>): Piece {
  const [chip, wide, step] = [14, 40, 56];
  const tallest = Math.min(MAX_CHIPS, Math.max(...shape.heaps, 1));
  const floor = 26 + tallest * (chip + 2);
  const parts: string[] = [];
  shape.heaps.forEach((heap, index) => {
    const x = index * step + (step - wide) / 2;
    const known = new Map((moves.get(index) ?? []).map(({ move, sign }) => [Number(sign), move]));
    if (heap > MAX_CHIPS) parts.push(rectangle("scenery fill-chip", x, floor - 3 * chip, wide, 3 * chip, 6), letter("fill-ink", x + wide / 2, floor - 1.5 * chip + 6, 16, String(heap)));
    else {
      for (let level = 0; level < heap; level += 1) {
        const body = rectangle("scenery fill-chip", x, floor - (level + 1) * (chip + 2), wide, chip, 5);
        const move = known.get(level);
        parts.push(move ? group(move, body) : body);
      }
      parts.push(letter("fill-ink", x + wide / 2, floor - heap * (chip + 2) - 8, 15, String(heap)));
    }
  });
  const width = shape.heaps.length * step;
  parts.push(`<path class="scenery stroke-ink" fill="none" stroke="#222222" stroke-width="2" d="M 0 ${floor} H ${width}" stroke-linecap="round"/>`);
  return { width, height: floor + 2, parts };
}

/** Returns the drawing of a position of a rule file. */
function drawPosition(term: string, moves: { move: Move; after: string }[]): Piece | null {
  const shape = shapeOf(position(term));
  if (!shape) return null;
  const placed = new Map<number, { move: Move; sign: string }[]>();
  for (const { move, after } of moves) {
    const place = placeOf(shape, shapeOf(position(after)));
    if (place) placed.set(place.index, [...(placed.get(place.index) ?? []), { move, sign: place.sign }]);
  }
  return shape.what === "squares" ? squares(shape, placed) : heaps(shape, placed);
}

/** The number of vertices above which a graph is not drawn. */
const MAX_VERTICES = 40;
const RADIUS = 17;

/**
 * Returns a graph drawn on a circle, with its counter. The targets of the moves are the buttons.
 */
function network(term: string, moves: { move: Move; after: string }[]): Piece | null {
  const read = (text: string) => {
    const call = termsOf(text)[0]?.call;
    return call?.name === "graph" ? (FIGURES.graph?.read(call) ?? null) : null;
  };
  const blank = read(term);
  if (!blank || blank.dots.length > MAX_VERTICES) return null;
  const many = blank.dots.length;
  const round = Math.max(1.35, (1.5 * many) / (2 * Math.PI));
  const middle = round + 0.6;
  const sketch = {
    ...blank,
    dots: blank.dots.map((dot, index) => {
      const angle = (2 * Math.PI * index) / many - Math.PI / 2;
      const at = (value: number) => Math.round(100 * (middle + value)) / 100;
      return { ...dot, x: at(many < 2 ? 0 : round * Math.cos(angle)), y: at(many < 2 ? 0 : round * Math.sin(angle)) };
    }),
  };
  const moveTo = new Map<number, Move>();
  for (const { move, after } of moves) {
    const start = read(after)?.start;
    if (start !== undefined && !moveTo.has(start)) moveTo.set(start, move);
  }
  const arrows = linePaths(sketch).map((run) => {
    const path = shortenedPath(run, RADIUS + 8);
    const [x = 0, y = 0] = (path.match(/-?[\d.]+/g) ?? []).map(Number).slice(-2);
    const [from, to] = run.tip;
    const angle = (180 / Math.PI) * Math.atan2(to.y - from.y, to.x - from.x);
    return (
      `<path class="scenery stroke-soft" fill="none" stroke="#555555" stroke-width="1.6" d="${path}"/>` +
      `<polygon class="scenery fill-soft" fill="#555555" points="8,0 -2,-4.5 -2,4.5" transform="translate(${x} ${y}) rotate(${Math.round(angle)})"/>`
    );
  });
  const dots = sketch.dots.map((dot, index) => {
    const [x, y] = [dot.x * CELL, dot.y * CELL];
    const here = index === sketch.start;
    const circle = (classes: string, radius: number, inside: string) => `<circle class="${classes}" cx="${x}" cy="${y}" r="${radius}" ${inside} stroke="#222222" stroke-width="1.5"/>`;
    const name = dot.name.length > 4 ? `${dot.name.slice(0, 3)}…` : dot.name;
    const body = circle(`scenery ${here ? "fill-coin" : "fill-square"} stroke-ink`, RADIUS, 'fill="#ffffff"') + letter("fill-ink", x, y + 5, name.length > 2 ? 11 : 14, name);
    const move = moveTo.get(index);
    const counter = here ? circle("scenery stroke-accent", RADIUS + 4, 'fill="none"') : "";
    return move ? group(move, body) + counter : body + counter;
  });
  return { width: 2 * middle * CELL, height: 2 * middle * CELL, parts: [...arrows, ...dots] };
}

/**
 * Returns the picture if all terms are positions of a rule file or graphs; otherwise `null`, since
 * the engine's picture is better.
 */
export function pageBoard(board: BoardAnswer): string | null {
  if (!board.terms.length || !board.terms.every((term) => /^(game|graph)\(/.test(term))) return null;
  const pieces: Piece[] = [];
  for (const [component, term] of board.terms.entries()) {
    const moves = board.moves.flatMap((move) => {
      if (move.component !== component || move.to === undefined) return [];
      const terms = termsOf(move.to);
      // The term after the move; the other terms are unchanged.
      const after = terms.length === board.terms.length ? terms[component]?.text : undefined;
      return after === undefined ? [] : [{ move, after }];
    });
    const piece = term.startsWith("graph(") ? network(term, moves) : drawPosition(term, moves);
    if (!piece) return null;
    pieces.push(piece);
  }
  const height = Math.max(...pieces.map((piece) => piece.height));
  let x = 0;
  const drawn = pieces.map((piece) => {
    const at = x;
    x += piece.width + GAP;
    return `<g transform="translate(${at} ${height - piece.height})">${piece.parts.join("")}</g>`;
  });
  const [width, tall] = [x - GAP + 24, height + 24];
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" class="grundy light" width="${width}" height="${tall}" viewBox="-12 -12 ${width} ${tall}"><title>${escaped(board.position)}</title>${drawn.join("")}</svg>`;
}
