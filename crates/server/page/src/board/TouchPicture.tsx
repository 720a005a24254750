// The interactive picture of the board. Every move that has a place in the picture is a button.
import { useLayoutEffect, useRef } from "preact/hooks";
import type { JudgedMove, Move } from "../engine/answers.ts";
import { extent, picture } from "../svg.ts";
import { DIRECTIONS, nearest } from "./direction.ts";
import { mark } from "./marks.ts";

interface Props {
  svg: string;
  label: string;
  moves: Move[];
  /** The analysed moves, by their texts `write`. */
  judged: Map<string, JudgedMove>;
  words(move: Move): string;
  /**
   * Called when a move is pressed. The move is not certain yet, since the pointer may leave before
   * it is released.
   */
  onPress?(move: Move): void;
  play(move: Move): void;
  /** Called when a move is hovered or focused, and with `null` afterwards. */
  hover(move: Move | null): void;
  /** The `write` of the move to highlight. */
  highlighted: string | null;
  active: boolean;
}

const placeOf = (component: number | string, at: string): string => `${component}|${at}`;

/** Returns the groups of the picture that belong to a current move, each with its move. */
function moveGroups(svg: SVGSVGElement, moves: Move[]): Map<SVGGElement, Move> {
  const byPlace = new Map<string, Move>();
  for (const move of moves) {
    const place = placeOf(move.component, move.at.map(String).join(","));
    if (!byPlace.has(place)) byPlace.set(place, move);
  }
  const found = new Map<SVGGElement, Move>();
  for (const group of svg.querySelectorAll<SVGGElement>("g.move")) {
    const move = byPlace.get(placeOf(group.dataset.component ?? "0", group.dataset.at ?? ""));
    if (move) found.set(group, move);
  }
  return found;
}

/** Adds an invisible wide line to each thin one, so that it can be tapped. */
function widen(group: SVGGElement): void {
  for (const line of group.querySelectorAll<SVGPathElement>('path[fill="none"]:not(.target)')) {
    const reach = line.cloneNode() as SVGPathElement;
    reach.setAttribute("class", "reach");
    reach.removeAttribute("stroke-dasharray");
    // The style sheet sets the colour of lines with a stroke attribute, and this line must stay
    // invisible.
    reach.removeAttribute("stroke");
    group.append(reach);
  }
}

/** Returns whether a group has no area, so that it cannot be tapped. */
function hasNoArea(group: SVGGElement): boolean {
  const { width, height } = group.getBBox();
  return width === 0 && height === 0;
}

const middle = (group: Element): { x: number; y: number } => {
  const box = group.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

export function TouchPicture(props: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const groups = useRef(new Map<SVGGElement, Move>());
  // The position of the focus when a move is made. The picture is then replaced, and the nearest
  // group in the new one gets the focus.
  const focusPoint = useRef<{ x: number; y: number } | null>(null);

  useLayoutEffect(() => {
    const svg = picture(props.svg);
    if (!svg) {
      frame.current?.replaceChildren();
      groups.current = new Map();
      return;
    }
    svg.querySelector(":scope > title")?.remove();
    svg.querySelector(":scope > desc")?.remove();
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", props.label);
    const [width, height] = extent(svg);
    const scale = Math.min(2.6, 340 / height, 620 / width);
    svg.style.width = `${width * Math.max(scale, 1)}px`;
    frame.current?.replaceChildren(svg);

    const found = moveGroups(svg, props.moves);
    for (const group of found.keys()) if (hasNoArea(group)) found.delete(group);
    groups.current = found;
    const all = [...found.keys()];
    for (const group of svg.querySelectorAll<SVGGElement>("g.move")) {
      group.querySelector(":scope > title")?.remove();
      if (!found.has(group)) {
        group.classList.add("idle");
        group.setAttribute("aria-hidden", "true");
      }
    }
    const setTabStop = (to: SVGGElement) => {
      for (const group of all) group.setAttribute("tabindex", group === to ? "0" : "-1");
    };
    all.forEach((group, index) => {
      const move = found.get(group);
      if (!move) return;
      group.setAttribute("role", "button");
      widen(group);
      group.setAttribute("tabindex", index === 0 ? "0" : "-1");
      group.addEventListener("focus", () => {
        setTabStop(group);
        latest.current.hover(move);
      });
      group.addEventListener("blur", () => latest.current.hover(null));
      group.addEventListener("pointerenter", () => latest.current.hover(move));
      group.addEventListener("pointerleave", () => latest.current.hover(null));
      const play = () => {
        if (!latest.current.active) return;
        focusPoint.current = group.matches(":focus") ? middle(group) : null;
        latest.current.play(move);
      };
      group.addEventListener("pointerdown", () => {
        if (latest.current.active) latest.current.onPress?.(move);
      });
      group.addEventListener("click", play);
      group.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          event.stopPropagation();
          play();
          return;
        }
        const direction = DIRECTIONS[event.key];
        if (!direction) return;
        event.preventDefault();
        event.stopPropagation();
        const to = all[nearest(all.map(middle), all.indexOf(group), direction)];
        to?.focus();
      });
    });
    if (focusPoint.current) {
      const { x, y } = focusPoint.current;
      const distance = (group: SVGGElement) => Math.hypot(middle(group).x - x, middle(group).y - y);
      const next = all.sort((one, other) => distance(one) - distance(other))[0];
      if (next) next.focus();
      else frame.current?.closest<HTMLElement>(".board")?.focus();
      focusPoint.current = null;
    }
    // One answer contains both the picture and its moves, so they change together.
  }, [props.svg, props.moves]);

  useLayoutEffect(() => {
    frame.current?.querySelector("svg")?.setAttribute("aria-label", props.label);
    for (const [group, move] of groups.current) {
      // For speech control, the accessible name must contain the visible text.
      const words = props.words(move);
      const written = group.querySelector("text")?.textContent?.trim() ?? "";
      group.setAttribute("aria-label", words.toLowerCase().includes(written.toLowerCase()) ? words : `${words}, ${written}`);
      if (props.active) group.removeAttribute("aria-disabled");
      else group.setAttribute("aria-disabled", "true");
    }
  });

  useLayoutEffect(() => {
    const svg = frame.current?.querySelector("svg");
    if (svg) mark(svg, [...groups.current.keys()], (group) => props.judged.get(groups.current.get(group)?.write ?? ""));
  }, [props.svg, props.moves, props.judged]);

  useLayoutEffect(() => {
    for (const [group, move] of groups.current) group.classList.toggle("pointed", move.write === props.highlighted);
  }, [props.svg, props.moves, props.highlighted]);

  return <div class={`picture touch${props.active ? "" : " waiting"}`} part="picture" ref={frame} />;
}
