// Marks on the moves in a picture: a letter for the outcome after the move, and a colour for the
// result of the mover.
import type { JudgedMove } from "../engine/answers.ts";
import { glyph, tintOfStanding } from "../outcome.ts";

const SVG = "http://www.w3.org/2000/svg";
/**
 * If there are more moves than this, losing moves are not marked, since the marks would hide the
 * board.
 */
const MAX_MARKS = 70;

function element(name: string, attributes: Record<string, string | number>): SVGElement {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  return node;
}

/** Returns the centre and the radius of the mark of a group. */
function place(group: SVGGElement): { x: number; y: number; radius: number } {
  const shape = group.querySelector<SVGGraphicsElement>("rect, circle, path, ellipse, polygon") ?? group;
  const box = shape.getBBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const line = shape.getAttribute("fill") === "none" && !shape.classList.contains("target");
  if (line && shape instanceof SVGPathElement) {
    // The mark is not in the middle of an edge, where the number of the edge is.
    const point = shape.getPointAtLength(0.74 * shape.getTotalLength());
    return { x: point.x, y: point.y, radius: 7.5 };
  }
  const least = Math.min(box.width, box.height);
  const radius = Math.max(4.6, Math.min(7.5, 0.5 * least));
  // The middle of tall narrow shapes is kept free for their text.
  if (box.height > 3 * box.width) return { x, y: box.y + 0.82 * box.height, radius: Math.min(radius, 0.46 * box.width) };
  // Adjacent targets on one square must not hide its number.
  if (shape.classList.contains("target") && box.width <= 24 && box.height > 1.3 * box.width) {
    return { x, y: box.y + 0.76 * box.height, radius: Math.max(4.2, 0.36 * box.width) };
  }
  const text = group.querySelector("text");
  // Text in the middle of the shape must stay readable.
  if (text && Math.abs(text.getBBox().x + text.getBBox().width / 2 - x) < radius * 1.5) {
    return { x: box.x + box.width - 0.3 * radius, y: box.y + 0.3 * radius, radius: Math.min(radius, 6.5) };
  }
  return { x, y, radius };
}

/**
 * Returns whether the edges of a picture have colours of their owners, which could be confused with
 * those of marks.
 */
export const edgesColoured = (svg: string): boolean => /class="(green|blue|red)\b/.test(svg);

/** Marks every group whose move is judged, after removing the old marks. */
export function mark(svg: SVGSVGElement, groups: SVGGElement[], judged: (group: SVGGElement) => JudgedMove | undefined): void {
  svg.querySelector(":scope > .marks")?.remove();
  const marks = element("g", { class: "marks", "aria-hidden": "true" });
  const all = groups.length <= MAX_MARKS;
  for (const group of groups) {
    const move = judged(group);
    if (!move?.leaves || (!all && move.for_mover === "lose")) continue;
    const { x, y, radius } = place(group);
    // Marks on coloured edges have no colour, since the colour of an edge means its owner.
    const plain = group.querySelector(".green, .blue, .red") !== null;
    const sign = element("g", { class: `mark tint-${plain ? "none" : tintOfStanding(move.for_mover)}` });
    sign.append(element("circle", { cx: x, cy: y, r: radius }));
    const letter = element("text", { x, y: y + 0.36 * radius * 1.35, "font-size": radius * 1.35, "text-anchor": "middle" });
    letter.textContent = glyph(move.leaves.outcome);
    sign.append(letter);
    marks.append(sign);
  }
  if (marks.hasChildNodes()) svg.append(marks);
}
