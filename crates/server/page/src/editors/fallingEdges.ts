// The edges that fall in Hackenbush when an edge is cut, found by comparing the pictures before and
// after the move.
import { useLayoutEffect } from "preact/hooks";
import type { BoardAnswer, Move } from "../engine/answers.ts";
import { termsOf } from "./literal.ts";

function edgesOf(term: string | undefined): string[] | null {
  const call = termsOf(term ?? "")[0]?.call;
  const edges = call?.name === "hackenbush" ? call.args[0]?.value : undefined;
  return edges?.kind === "text" ? edges.value.split(/\s+/).filter((edge) => edge !== "") : null;
}

/** Returns the indices of the edges that a move removes, including the one that is cut. */
export function fallingEdges(board: BoardAnswer | null, move: Move | null): number[] {
  if (!board || move?.to === undefined) return [];
  const before = edgesOf(board.terms[move.component]);
  const terms = termsOf(move.to);
  const after = edgesOf(terms.length === board.terms.length ? terms[move.component]?.text : undefined);
  if (!before || !after) return [];
  const removed: number[] = [];
  let kept = 0;
  before.forEach((edge, index) => {
    // The cut edge is removed, even if another edge has the same text.
    if (edge === after[kept] && String(move.at[0]) !== String(index)) kept += 1;
    else removed.push(index);
  });
  return kept === after.length ? removed : [];
}

/** Highlights the edges that the hovered move removes, and returns them as text. */
export function useFallingEdges(frame: { current: Element | null }, board: BoardAnswer | null, move: Move | null): string {
  const removed = fallingEdges(board, move);
  const key = removed.join(" ");
  useLayoutEffect(() => {
    if (!move || key === "") return;
    const groups = frame.current?.querySelectorAll<SVGGElement>(".touch g.move") ?? [];
    for (const group of groups) {
      const falls = Number(group.dataset.component ?? 0) === move.component && removed.includes(Number(group.dataset.at));
      group.classList.toggle("falls", falls);
    }
    return () => groups.forEach((group) => group.classList.remove("falls"));
  }, [key, move, board]);
  if (removed.length < 2) return "";
  const edges = edgesOf(board?.terms[move?.component ?? 0]) ?? [];
  return removed
    .filter((index) => String(index) !== String(move?.at[0]))
    .map((index) => edges[index]?.split(":")[0] ?? "")
    .join(", ");
}
