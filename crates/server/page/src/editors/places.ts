// Where the dots of drawings stand, as the address keeps it: an expression does not say it.
import type { Sketch, Spot } from "./sketch.ts";

/** The places of one drawing: of which term they are is told by a mark of its text, so that no other is drawn with them. */
interface Kept {
  mark: string;
  places: string;
}

/** A short mark of a text (FNV-1a). */
function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(36);
}

const read = (kept: string): Kept[] =>
  kept.split("/").flatMap((one) => {
    const [mark = "", places = ""] = one.split(":");
    return mark === "" || places === "" ? [] : [{ mark, places }];
  });

/** The ends of lines that stand on the ground, each for itself, and the other dots: what a text that is read tells apart. */
function spotsOf(read: Sketch, drawn: Sketch): (Spot | undefined)[] {
  const named = new Map(drawn.dots.filter((dot) => !dot.ground).map((dot) => [dot.name, dot]));
  const spots: (Spot | undefined)[] = read.dots.map((dot) => (dot.ground ? undefined : named.get(dot.name)));
  read.lines.forEach((line, index) => {
    const other = drawn.lines[index];
    if (!other) return;
    spots[line.a] ??= drawn.dots[other.a];
    spots[line.b] ??= drawn.dots[other.b];
  });
  return spots;
}

/** What is kept, with the places of a drawing of the term `text`; of the others those of the terms that are there. */
export function withPlaces(kept: string, text: string, blank: Sketch, drawn: Sketch, terms: string[]): string {
  const there = new Set(terms.map(markOf));
  const mark = markOf(text);
  const others = read(kept).filter((one) => one.mark !== mark && there.has(one.mark));
  const spots = spotsOf(blank, drawn);
  const places = spots.map((spot) => (spot ? `${spot.x}.${spot.y}` : "")).join(",");
  const own = spots.length > 0 && spots.every((spot) => spot !== undefined) ? [{ mark, places }] : [];
  return [...others, ...own].map((one) => `${one.mark}:${one.places}`).join("/");
}

/** The drawing of the term `text` at the places that are kept; nothing where none are kept for it. */
export function placedAs(kept: string, text: string, blank: Sketch): Sketch | null {
  const mark = markOf(text);
  const own = read(kept).find((one) => one.mark === mark);
  const spots = own?.places.split(",").map((place): Spot | null => {
    const [, x, y] = /^(\d{1,3})\.(\d{1,3})$/.exec(place) ?? [];
    return x === undefined ? null : { x: Number(x), y: Number(y) };
  });
  if (!spots || spots.length !== blank.dots.length) return null;
  // Feet that stand on one place are one dot.
  const dots: Sketch["dots"] = [];
  const feet = new Map<number, number>();
  const places = blank.dots.map((dot, index) => {
    const spot = spots[index];
    const foot = dot.ground && spot ? feet.get(spot.x) : undefined;
    if (foot !== undefined) return foot;
    dots.push({ ...dot, ...spot });
    if (dot.ground && spot) feet.set(spot.x, dots.length - 1);
    return dots.length - 1;
  });
  if (spots.includes(null)) return null;
  const lines = blank.lines.map((line) => ({ ...line, a: places[line.a] ?? 0, b: places[line.b] ?? 0 }));
  return { ...blank, dots, lines, ...(blank.start === undefined ? {} : { start: places[blank.start] ?? 0 }) };
}
