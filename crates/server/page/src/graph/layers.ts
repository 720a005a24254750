// The layout of the expanded part of a game graph: its layers and the places of its nodes.
import type { JudgedMove } from "../engine/answers.ts";

/** A position, with the player to move in a partizan game. */
export interface Node {
  key: string;
  position: string;
  begins?: "right" | "left";
  outcome?: string;
  value?: string;
  /** The moves, once the node is expanded. */
  moves?: JudgedMove[];
  complete?: boolean;
}

export interface PlacedNode {
  node: Node;
  layer: number;
  x: number;
  y: number;
  width: number;
  label: string;
}

export interface Arrow {
  from: PlacedNode;
  to: PlacedNode;
  winning: boolean;
  moves: string[];
}

export const HEIGHT = 40;
const GAP = 16;
const LAYER = 104;
const LETTERS = 26;

export const keyOf = (position: string, begins: Node["begins"]): string => (begins ? `${begins} ${position}` : position);

/** Returns the key of the node after a move. */
export const childKey = (node: Node, move: JudgedMove): string | null =>
  move.to === undefined ? null : keyOf(move.to, node.begins ? (node.begins === "left" ? "right" : "left") : undefined);

/** Returns the part of the graph that is reachable from the start through expanded nodes. */
export function layout(nodes: Map<string, Node>, start: string, expanded: Set<string>, short: (position: string) => string): { placed: PlacedNode[]; arrows: Arrow[]; width: number; height: number } {
  const layers: string[][] = [];
  const layer = new Map<string, number>([[start, 0]]);
  const parents = new Map<string, string[]>();
  let now = [start];
  while (now.length > 0) {
    layers.push(now);
    const next: string[] = [];
    for (const key of now) {
      const node = nodes.get(key);
      if (!node?.moves || !expanded.has(key)) continue;
      for (const move of node.moves) {
        const child = childKey(node, move);
        if (child === null || !nodes.has(child)) continue;
        parents.set(child, [...(parents.get(child) ?? []), key]);
        if (!layer.has(child)) {
          layer.set(child, layers.length);
          next.push(child);
        }
      }
    }
    now = next;
  }
  const placed = new Map<string, PlacedNode>();
  const middles = new Map<string, number>();
  let widest = 0;
  layers.forEach((keys, depth) => {
    // Nodes are sorted by the mean position of their parents, which reduces crossings of arrows.
    // Equal nodes keep their order.
    const weight = (key: string) => {
      const above = (parents.get(key) ?? []).flatMap((parent) => middles.get(parent) ?? []);
      return above.length === 0 ? 0 : above.reduce((sum, x) => sum + x, 0) / above.length;
    };
    const order = keys.map((key, index) => ({ key, index, weight: weight(key) })).sort((one, other) => one.weight - other.weight || one.index - other.index);
    let x = 0;
    for (const { key } of order) {
      const node = nodes.get(key);
      if (!node) continue;
      const text = short(node.position);
      const label = text.length > LETTERS ? `${text.slice(0, LETTERS - 1)}…` : text === "" ? "·" : text;
      const width = 46 + 8 * label.length + (node.value ? 14 + 8 * node.value.length : 0);
      placed.set(key, { node, layer: depth, x, y: depth * LAYER, width, label });
      x += width + GAP;
    }
    const total = x - GAP;
    widest = Math.max(widest, total);
    for (const { key } of order) {
      const spot = placed.get(key);
      if (!spot) continue;
      spot.x -= total / 2;
      middles.set(key, spot.x + spot.width / 2);
    }
  });
  for (const spot of placed.values()) spot.x += widest / 2;
  const arrows = new Map<string, Arrow>();
  for (const [key, from] of placed) {
    if (!expanded.has(key)) continue;
    for (const move of from.node.moves ?? []) {
      const child = childKey(from.node, move);
      const to = child === null ? undefined : placed.get(child);
      if (!to) continue;
      const name = `${key}\u0000${child}`;
      const known = arrows.get(name);
      if (known) known.moves.push(move.move);
      else arrows.set(name, { from, to, winning: move.for_mover === "win", moves: [move.move] });
    }
  }
  return { placed: [...placed.values()], arrows: [...arrows.values()], width: widest, height: (layers.length - 1) * LAYER + HEIGHT };
}

/** Returns the path of an arrow. */
export function arrowPath({ from, to }: Arrow): string {
  const [x1, x2] = [from.x + from.width / 2, to.x + to.width / 2];
  if (to.layer > from.layer) {
    const [y1, y2] = [from.y + HEIGHT, to.y - 3];
    const bend = (y2 - y1) / 2;
    return `M ${x1} ${y1} C ${x1} ${y1 + bend}, ${x2} ${y2 - bend}, ${x2} ${y2}`;
  }
  if (from === to) return `M ${from.x + from.width} ${from.y + 10} c 34 -14, 34 30, 3 16`;
  // An arrow to the same layer or upwards is drawn as an arc around the nodes.
  const [a, b] = [from.x + from.width, to.x + to.width + 3];
  const out = Math.max(a, b) + 40;
  return `M ${a} ${from.y + HEIGHT / 2} C ${out} ${from.y + HEIGHT / 2}, ${out} ${to.y + HEIGHT / 2}, ${b} ${to.y + HEIGHT / 2}`;
}
