// The places of the dots of drawings, stored in the URL since the expression does not contain them.
import type { Sketch, Spot } from "./sketch.ts";

/**
 * The places of one drawing. A hash of the term's text identifies the term, so that the places are
 * not applied to another one.
 */
interface StoredPlaces {
  hash: string;
  places: string;
}

/** Returns a short hash of a text (FNV-1a). */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(36);
}

const read = (stored: string): StoredPlaces[] =>
  stored.split("/").flatMap((one) => {
    const [hash = "", places = ""] = one.split(":");
    return hash === "" || places === "" ? [] : [{ hash, places }];
  });

/**
 * Returns the places in `drawn` of the dots of `read`, which is the same drawing parsed from its
 * expression. In `read` each line has its own dot on the ground; in `drawn`, lines may share one.
 */
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

/**
 * Returns the stored places with those of the term `text` replaced, and those of removed terms
 * dropped.
 */
export function withPlaces(stored: string, text: string, blank: Sketch, drawn: Sketch, terms: string[]): string {
  const current = new Set(terms.map(hashOf));
  const hash = hashOf(text);
  const others = read(stored).filter((one) => one.hash !== hash && current.has(one.hash));
  const spots = spotsOf(blank, drawn);
  const places = spots.map((spot) => (spot ? `${spot.x}.${spot.y}` : "")).join(",");
  const own = spots.length > 0 && spots.every((spot) => spot !== undefined) ? [{ hash, places }] : [];
  return [...others, ...own].map((one) => `${one.hash}:${one.places}`).join("/");
}

/** Returns the drawing of the term `text` at the stored places, or `null` without any. */
export function restorePlaces(stored: string, text: string, blank: Sketch): Sketch | null {
  const hash = hashOf(text);
  const own = read(stored).find((one) => one.hash === hash);
  const spots = own?.places.split(",").map((place): Spot | null => {
    const [, x, y] = /^(\d{1,3})\.(\d{1,3})$/.exec(place) ?? [];
    return x === undefined ? null : { x: Number(x), y: Number(y) };
  });
  if (!spots || spots.length !== blank.dots.length) return null;
  // Dots on the ground at the same place become one dot.
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
