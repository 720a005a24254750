// The colours of values: from dark blue to yellow in even steps of lightness, and a separate one
// for 0.

/** The control points of the ramp, from low to high. */
const CORNERS: [number, number, number][] = [
  [44, 24, 94],
  [46, 82, 139],
  [33, 124, 139],
  [53, 163, 120],
  [133, 196, 78],
  [245, 226, 60],
];

export interface Shade {
  fill: string;
  /** The colour of text on it. */
  ink: string;
}

export const ZERO: Shade = { fill: "#ffffff", ink: "#111111" };
export const UNKNOWN: Shade = { fill: "#999999", ink: "#111111" };
const OUTCOMES: Record<string, Shade> = {
  N: { fill: "#009e73", ink: "#111111" },
  P: { fill: "#d55e00", ink: "#111111" },
  D: { fill: "#e69f00", ink: "#111111" },
};

export function shade(value: number, most: number): Shade {
  if (value === 0) return ZERO;
  const place = (most <= 1 ? 1 : (value - 1) / (most - 1)) * (CORNERS.length - 1);
  const low = Math.min(Math.floor(place), CORNERS.length - 2);
  const [one, other] = [CORNERS[low] ?? [0, 0, 0], CORNERS[low + 1] ?? [0, 0, 0]];
  const mixed = one.map((part, index) => Math.round(part + (place - low) * ((other[index] ?? 0) - part)));
  const [red = 0, green = 0, blue = 0] = mixed;
  return { fill: `rgb(${mixed.join(" ")})`, ink: 0.299 * red + 0.587 * green + 0.114 * blue > 118 ? "#111111" : "#ffffff" };
}

export const outcomeShade = (outcome: string | undefined): Shade => (outcome === undefined ? UNKNOWN : (OUTCOMES[outcome] ?? { fill: "#ffffff", ink: "#111111" }));
