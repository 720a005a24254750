// Marks on the moves of a picture: what each leaves, coloured by what it does for the mover.
import type { JudgedMove } from "../engine/answers.ts";
import { glyph, tintOfStanding } from "../outcome.ts";

const SVG = "http://www.w3.org/2000/svg";
/** More marks than these would hide the board: then only winning moves have one. */
const MOST = 70;

function element(name: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** Where the mark of a group stands, and how large it is. */
function place(group: SVGGElement): { x: number; y: number; radius: number } {
  const shape = group.querySelector<SVGGraphicsElement>("rect, circle, path, ellipse, polygon") ?? group;
  const box = shape.getBBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const line = shape.getAttribute("fill") === "none" && !shape.classList.contains("target");
  if (line && shape instanceof SVGPathElement) {
    // Beside the middle, where the number of an edge stands.
    const spot = shape.getPointAtLength(0.74 * shape.getTotalLength());
    return { x: spot.x, y: spot.y, radius: 7.5 };
  }
  const least = Math.min(box.width, box.height);
  const radius = Math.max(4.6, Math.min(7.5, 0.5 * least));
  // In what is tall and narrow the middle is left for what is written there.
  if (box.height > 3 * box.width) return { x, y: box.y + 0.82 * box.height, radius: Math.min(radius, 0.46 * box.width) };
  // Places side by side on one square leave its number readable.
  if (shape.classList.contains("target") && box.width <= 24 && box.height > 1.3 * box.width) {
    return { x, y: box.y + 0.76 * box.height, radius: Math.max(4.2, 0.36 * box.width) };
  }
  const text = group.querySelector("text");
  // A word in the middle stays readable.
  if (text && Math.abs(text.getBBox().x + text.getBBox().width / 2 - x) < radius * 1.5) {
    return { x: box.x + box.width - 0.3 * radius, y: box.y + 0.3 * radius, radius: Math.min(radius, 6.5) };
  }
  return { x, y, radius };
}

/** Whether the edges of a picture have colours of their own, which marks must not be taken for. */
export const edgesColoured = (svg: string): boolean => /class="(green|blue|red)\b/.test(svg);

/** Puts a mark on every group whose move is judged, and takes away those that were there. */
export function mark(svg: SVGSVGElement, groups: SVGGElement[], judged: (group: SVGGElement) => JudgedMove | undefined): void {
  svg.querySelector(":scope > .marks")?.remove();
  const marks = element("g", { class: "marks", "aria-hidden": "true" });
  const all = groups.length <= MOST;
  for (const group of groups) {
    const move = judged(group);
    if (!move?.leaves || (!all && move.for_mover === "lose")) continue;
    const { x, y, radius } = place(group);
    // Coloured edges keep their colours for themselves.
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
