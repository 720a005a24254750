// A board for positions of a rule file, by the type of the position: letters are squares, numbers are heaps. A move has its
// place where the position and what the move leaves differ; what differs otherwise is in the list of moves. The picture is
// like those of the server, so that it is touched like them.
import type { BoardAnswer, Move } from "../engine/answers.ts";
import { type Literal, termsOf } from "./literal.ts";

type Shape = { what: "squares"; rows: string[]; letters: boolean } | { what: "heaps"; heaps: number[] };

const SIDE = 44;
const GAP = 36;
/** Larger heaps are a number. */
const CHIPS = 16;
/** Larger positions are left to the server's picture. */
const MOST = 400;
const EMPTY = /^[.\s_0-]$/;

const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Nested lists and numbers as one list, where nothing else is in it. */
function flat(literal: Literal): number[] | null {
  if (literal.kind === "number") return [literal.value];
  if (literal.kind !== "list") return null;
  const all = literal.items.map(flat);
  return all.every((part) => part !== null) ? all.flat() : null;
}

/** The shape of a position. A text whose length is a square of four or more is still a row: only lists of texts are grids. */
function shapeOf(literal: Literal | undefined): Shape | null {
  if (!literal) return null;
  if (literal.kind === "text") return literal.value === "" || literal.value.length > MOST ? null : { what: "squares", rows: [literal.value], letters: true };
  if (literal.kind === "list" && literal.items.length > 0 && literal.items.every((item) => item.kind === "text")) {
    const rows = literal.items.map((item) => (item.kind === "text" ? item.value : ""));
    return (rows[0] ?? "") !== "" && rows.join("").length <= MOST && rows.every((row) => row.length === rows[0]?.length) ? { what: "squares", rows, letters: true } : null;
  }
  const heaps = flat(literal);
  return heaps && heaps.length > 0 && heaps.length <= 40 && heaps.every((heap) => heap >= 0) ? { what: "heaps", heaps } : null;
}

const position = (term: string): Literal | undefined => {
  const call = termsOf(term)[0]?.call;
  return call?.name === "game" ? call.args[1]?.value : undefined;
};

/** Where a move belongs: a square, or a chip of a heap; nothing where the difference does not say. */
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
  // A piece that goes to a free square is touched where it stands.
  if (changed.length === 2 && old[one] === now[other] && old[other] === now[one]) {
    if (EMPTY.test(old[other] ?? "")) return { index: one, sign: other > one ? "→" : "←" };
    if (EMPTY.test(old[one] ?? "")) return { index: other, sign: other > one ? "←" : "→" };
  }
  return null;
}

interface Piece {
  width: number;
  height: number;
  /** The picture from (0, 0). */
  parts: string[];
}

const rectangle = (look: string, x: number, y: number, width: number, height: number, round = 3): string =>
  `<rect class="${look} stroke-ink" fill="#ffffff" stroke="#222222" stroke-width="1" x="${x}" y="${y}" width="${width}" height="${height}" rx="${round}"/>`;

const letter = (look: string, x: number, y: number, size: number, text: string): string =>
  `<text class="${look}" x="${x}" y="${y}" font-family="sans-serif" font-size="${size}" text-anchor="middle" pointer-events="none" fill="#222222">${escaped(text)}</text>`;

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
  const tallest = Math.min(CHIPS, Math.max(...shape.heaps, 1));
  const floor = 26 + tallest * (chip + 2);
  const parts: string[] = [];
  shape.heaps.forEach((heap, index) => {
    const x = index * step + (step - wide) / 2;
    const known = new Map((moves.get(index) ?? []).map(({ move, sign }) => [Number(sign), move]));
    if (heap > CHIPS) parts.push(rectangle("scenery fill-chip", x, floor - 3 * chip, wide, 3 * chip, 6), letter("fill-ink", x + wide / 2, floor - 1.5 * chip + 6, 16, String(heap)));
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

/** The picture of a position whose terms are all of a rule file, or nothing where the server's is better. */
export function ruleBoard(board: BoardAnswer): string | null {
  if (!board.terms.length || !board.terms.every((term) => term.startsWith("game("))) return null;
  const pieces: Piece[] = [];
  for (const [component, term] of board.terms.entries()) {
    const shape = shapeOf(position(term));
    if (!shape) return null;
    const moves = new Map<number, { move: Move; sign: string }[]>();
    for (const move of board.moves) {
      if (move.component !== component || move.to === undefined) continue;
      const after = termsOf(move.to);
      const others = board.terms.length;
      // The term after the move, where the others stand as they stood.
      const left = after.length === others ? after[component]?.text : undefined;
      const place = left === undefined ? null : placeOf(shape, shapeOf(position(left)));
      if (place) moves.set(place.index, [...(moves.get(place.index) ?? []), { move, sign: place.sign }]);
    }
    pieces.push(shape.what === "squares" ? squares(shape, moves) : heaps(shape, moves));
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
