// The drawing area, for mouse, touch and keyboard.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Choice } from "../shell/Choice.tsx";
import { Icon } from "../shell/Icon.tsx";
import { usePage } from "../state/page.ts";
import type { Word } from "../words.ts";
import type { Paper } from "./figures.ts";
import {
  CELL,
  COLOURS,
  type Colour,
  type Kind,
  type Sketch,
  type Spot,
  distanceTo,
  dotAt,
  withMark,
  withPlace,
  withColour,
  linePaths,
  shortenedPath,
  tidy,
  withDot,
  withLine,
  withoutDot,
  withoutLine,
} from "./sketch.ts";

type Tool = "draw" | "move" | "colour" | "erase";

interface Props {
  kind: Kind;
  sketch: Sketch;
  paper: Paper;
  /**
   * Sets a new drawing, which is a step of the undo history unless `moving` is true during a drag.
   */
  change(sketch: Sketch, moving?: boolean): void;
  undo(): void;
  redo(): void;
  canUndo: boolean;
  canRedo: boolean;
  clear(): void;
}

/** The margin around the grid, in cells. */
const MARGIN = 0.7;
/** The distance within which a touch selects a dot or a line, in cells. */
const REACH = 0.5;
/** The minimum size of a cell in pixels, which applies to grids with more than `WIDE` columns. */
const MIN_CELL = 24;
const WIDE = 16;
const COLOUR_WORD: Record<Colour, Word> = { g: "colour_green", b: "colour_blue", r: "colour_red" };

/** The current action of the pointer or the keyboard. */
type Action =
  | { what: "line"; from: number; made: boolean; start: Spot; to: Spot; dragged: boolean; held: boolean }
  | { what: "move"; dot: number; keys: boolean; before: Sketch }
  | null;

export function Drawing({ kind, sketch, paper, change, undo, redo, canUndo, canRedo, clear }: Props) {
  const { say, announce } = usePage();
  const { columns, rows } = paper;
  const [tool, setTool] = useState<Tool>("draw");
  const [pen, setPen] = useState<Colour>("g");
  const [action, setAction] = useState<Action>(null);
  const [cursor, setCursor] = useState<Spot>({ x: Math.round(columns / 2), y: kind.ground ? rows : Math.round(rows / 2) });
  const [byKeyboard, setByKeyboard] = useState(false);
  const [chosen, setChosen] = useState<number | null>(null);
  const frame = useRef<SVGSVGElement>(null);
  useEffect(() => setChosen(null), [sketch]);

  const all = useMemo(() => linePaths(sketch), [sketch]);
  const lineAt = (spot: Spot): number => {
    let best = -1;
    let least = 0.42;
    all.forEach((run, index) => {
      const distance = distanceTo(sketch, index, run, spot.x, spot.y);
      if (distance < least) [best, least] = [index, distance];
    });
    return best;
  };
  const underCursor = chosen ?? (dotAt(sketch, cursor.x, cursor.y, 0.2) >= 0 ? -1 : lineAt(cursor));

  const dotWords = (index: number): string => {
    const dot = sketch.dots[index];
    if (!dot) return "";
    if (dot.ground) return say("draw_ground");
    const mark = dot.mark !== undefined && dot.mark !== "." ? `, ${dot.mark}` : "";
    return say("draw_dot", { name: dot.name }) + mark;
  };
  const lineWords = (index: number): string => {
    const line = sketch.lines[index];
    if (!line) return "";
    const ends = `${sketch.dots[line.a]?.name ?? "0"}-${sketch.dots[line.b]?.name ?? "0"}`;
    return kind.coloured ? say("draw_line_coloured", { ends, colour: say(COLOUR_WORD[line.colour]) }) : say("draw_line", { ends });
  };
  const placeWords = (spot: Spot): string => {
    const dot = dotAt(sketch, spot.x, spot.y);
    const line = dot < 0 ? lineAt(spot) : -1;
    const what =
      dot >= 0 ? dotWords(dot)
      : line >= 0 ? lineWords(line)
      : kind.ground && spot.y === rows ? say("draw_ground")
      : say("draw_empty");
    return say("draw_place", { column: spot.x + 1, row: rows - spot.y + (kind.ground ? 0 : 1), what });
  };

  /** Returns the dot at a place, creating it if there is none. */
  const endAt = (now: Sketch, spot: Spot, reach = REACH): [Sketch, number] => {
    const known = dotAt(now, spot.x, spot.y, reach);
    if (known >= 0) return [now, known];
    const [x, y] = [Math.max(0, Math.min(columns, Math.round(spot.x))), Math.max(0, Math.min(rows, Math.round(spot.y)))];
    const there = dotAt(now, x, y, 0.2);
    if (there >= 0) return [now, there];
    return withDot(now, kind, x, y, kind.ground && y === rows);
  };

  const draw = (next: Sketch, words: string) => {
    change(tidy(next, kind));
    announce(words);
  };

  /** Ends the current line. */
  const finish = (from: number, spot: Spot, base: Sketch) => {
    const [next, to] = endAt(base, spot);
    const both = next.dots[from]?.ground && next.dots[to]?.ground;
    setAction(null);
    if (both && from !== to && !kind.multiple) return;
    const drawn = withLine(next, kind, from, to, pen);
    if (drawn === next && next === base) return;
    const [a, b] = [next.dots[from]?.name ?? "0", next.dots[to]?.name ?? "0"];
    draw(drawn, say("draw_drawn", { ends: `${a}-${b}` }));
  };

  const recolour = (index: number) => {
    const line = sketch.lines[index];
    if (!line || !kind.coloured) return;
    const next = COLOURS[(COLOURS.indexOf(line.colour) + 1) % COLOURS.length] ?? "g";
    draw(withColour(sketch, index, next), `${say("colour")}: ${say(COLOUR_WORD[next])}`);
  };
  const remark = (index: number) => {
    const dot = sketch.dots[index];
    if (!dot || kind.marks.length === 0) return;
    const next = kind.marks[(kind.marks.indexOf(dot.mark ?? "") + 1) % kind.marks.length] ?? ".";
    draw(withMark(sketch, index, next), `${say("draw_dot", { name: dot.name })}: ${next === "." ? say("draw_uncoloured") : next}`);
  };
  const erase = (spot: Spot, line = lineAt(spot)) => {
    const dot = dotAt(sketch, spot.x, spot.y);
    if (dot >= 0) draw(withoutDot(sketch, kind, dot), `${say("draw_erased")}: ${dotWords(dot)}`);
    else if (line >= 0) draw(withoutLine(sketch, kind, line), `${say("draw_erased")}: ${lineWords(line)}`);
  };
  const setStart = (index: number) => {
    if (!kind.counter || index < 0) return;
    draw({ ...sketch, start: index }, `${say("draw_counter")}: ${dotWords(index)}`);
  };

  const spotOf = (event: PointerEvent): Spot => {
    const matrix = frame.current?.getScreenCTM();
    if (!matrix) return { x: 0, y: 0 };
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return { x: point.x / CELL, y: point.y / CELL };
  };

  const press = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.preventDefault();
    frame.current?.focus({ preventScroll: true });
    setByKeyboard(false);
    const spot = spotOf(event);
    const dot = dotAt(sketch, spot.x, spot.y, REACH);
    if (tool === "erase") return erase(spot);
    if (tool === "colour") {
      if (dot >= 0 && kind.marks.length > 0) remark(dot);
      else if (dot >= 0 && kind.counter) setStart(dot);
      else if (kind.coloured && lineAt(spot) >= 0) recolour(lineAt(spot));
      return;
    }
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    if (tool === "move") {
      if (dot >= 0) setAction({ what: "move", dot, keys: false, before: sketch });
      return;
    }
    // A line that was started by a tap ends here.
    if (action?.what === "line" && action.held) return finish(action.from, spot, sketch);
    const near = dot >= 0 || (kind.ground && spot.y > rows - REACH);
    if (!near && kind.ground) {
      const line = lineAt(spot);
      if (line >= 0) recolour(line);
      else announce(say("draw_from"));
      return;
    }
    if (dot < 0 && lineAt(spot) >= 0) return;
    setAction({ what: "line", from: dot, made: dot < 0, start: spot, to: spot, dragged: false, held: false });
  };
  const drag = (event: PointerEvent) => {
    if (!action || (action.what === "line" && event.buttons === 0 && !action.held)) return;
    const spot = spotOf(event);
    if (action.what === "move") {
      if (action.keys) return;
      const dot = sketch.dots[action.dot];
      const x = Math.max(0, Math.min(columns, Math.round(spot.x)));
      const lowest = kind.ground ? rows - 1 : rows;
      const y = dot?.ground ? rows : Math.max(0, Math.min(lowest, Math.round(spot.y)));
      if (dot && (dot.x !== x || dot.y !== y) && dotAt(sketch, x, y, 0.2) < 0) change(withPlace(sketch, action.dot, x, y), true);
      return;
    }
    const far = Math.hypot(spot.x - action.start.x, spot.y - action.start.y) > 0.35;
    setAction({ ...action, to: spot, dragged: action.dragged || far });
  };
  const release = (event: PointerEvent) => {
    if (!action) return;
    if (action.what === "move") {
      if (!action.keys) finishMove();
      return;
    }
    if (action.held) return;
    const spot = spotOf(event);
    if (action.dragged) {
      const [base, from] = action.from >= 0 ? [sketch, action.from] : endAt(sketch, action.start);
      return finish(from, spot, base);
    }
    if (action.from < 0 && !kind.ground) {
      // A tap on an empty place creates a dot.
      const [next, made] = endAt(sketch, action.start);
      setAction(null);
      return draw(next, dotWordsOf(next, made));
    }
    // A tap on a dot starts a line, which the next tap ends.
    const [base, from] = action.from >= 0 ? [sketch, action.from] : endAt(sketch, action.start);
    if (base !== sketch) change(base, true);
    setAction({ ...action, from, held: true, to: action.start });
  };
  const dotWordsOf = (next: Sketch, index: number): string => say("draw_dot", { name: next.dots[index]?.name ?? "" });

  /** Records a finished move of a dot. */
  const finishMove = () => {
    if (action?.what === "move" && action.before !== sketch) change(sketch);
    setAction(null);
  };
  /** Cancels the current action. */
  const cancel = () => {
    if (action?.what === "move") change(action.before, true);
    if (action?.what === "line") change(tidy(sketch, kind), true);
    setAction(null);
  };

  const key = (event: KeyboardEvent) => {
    const control = event.ctrlKey || event.metaKey;
    const steps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    const name = control ? `Ctrl ${event.key.toLowerCase()}` : event.key;
    const at = dotAt(sketch, cursor.x, cursor.y);
    if (step && !control) {
      setByKeyboard(true);
      setChosen(null);
      const x = Math.max(0, Math.min(columns, cursor.x + step[0]));
      let y = Math.max(0, Math.min(rows, cursor.y + step[1]));
      if (action?.what === "move") {
        const dot = sketch.dots[action.dot];
        if (dot?.ground) y = rows;
        else if (kind.ground) y = Math.min(y, rows - 1);
        if (dotAt(sketch, x, y, 0.2) < 0) change(withPlace(sketch, action.dot, x, y), true);
        else return event.preventDefault();
      }
      setCursor({ x, y });
      if (action?.what === "line") setAction({ ...action, to: { x, y } });
      announce(placeWords({ x, y }));
    } else if (name === "Enter" || name === " ") {
      setByKeyboard(true);
      if (action?.what === "move") finishMove();
      else if (action?.what === "line") {
        const end = dotAt(sketch, cursor.x, cursor.y);
        if (end === action.from) cancel();
        else finish(action.from, cursor, sketch);
      } else {
        if (kind.ground && at < 0 && cursor.y !== rows) announce(say("draw_from"));
        else {
          const [next, from] = endAt(sketch, cursor, 0.2);
          if (next !== sketch) change(next, kind.ground);
          setAction({ what: "line", from, made: at < 0, start: cursor, to: cursor, dragged: true, held: true });
          announce(say("draw_begun"));
        }
      }
    } else if (name === "o" && at >= 0 && kind.multiple) finish(at, cursor, sketch);
    else if (name === "c") {
      if (at >= 0 && kind.marks.length > 0) remark(at);
      else if (action === null && underCursor >= 0 && kind.coloured) recolour(underCursor);
      else if (kind.coloured) {
        const next = COLOURS[(COLOURS.indexOf(pen) + 1) % COLOURS.length] ?? "g";
        setPen(next);
        announce(`${say("colour")}: ${say(COLOUR_WORD[next])}`);
      }
    } else if (name === "s" && kind.counter) setStart(at);
    else if (name === "e" && sketch.lines.length > 0) {
      const next = ((chosen ?? -1) + 1) % sketch.lines.length;
      setByKeyboard(true);
      setChosen(next);
      announce(lineWords(next));
    } else if (name === "m" && at >= 0 && action === null) {
      setAction({ what: "move", dot: at, keys: true, before: sketch });
      announce(say("draw_moving"));
    } else if (name === "Delete" || name === "Backspace") {
      if (chosen !== null) draw(withoutLine(sketch, kind, chosen), `${say("draw_erased")}: ${lineWords(chosen)}`);
      else erase(cursor);
    } else if (name === "Ctrl z") undo();
    else if (name === "Ctrl y") redo();
    else if (name === "Escape" && action) cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const chosenLine = byKeyboard ? underCursor : -1;
  // Dragging a line renders often, so the finished lines are memoized.
  const lines = useMemo(
    () =>
      sketch.lines.map((line, index) => {
        const run = all[index];
        if (!run) return null;
        const [a, b] = [sketch.dots[line.a], sketch.dots[line.b]];
          // The letter of a line is next to it, and above it if the line is almost horizontal.
          const level = a && b && a !== b && Math.abs(a.y - b.y) < 0.4 * Math.abs(a.x - b.x);
          const scaled = run.path.replace(/-?[\d.]+/g, (value) => String(Math.round(Number(value) * CELL * 10) / 10));
        return (
          <g key={index} class={`drawn${index === chosenLine ? " chosen" : ""}`}>
            <path class="hit" d={scaled} />
            <path class={`line ${line.colour}${kind.coloured ? "" : " plain"}`} d={kind.arrows ? shortenedPath(run) : scaled} marker-end={kind.arrows ? "url(#drawn-tip)" : undefined} />
            {kind.coloured && (
              <text x={run.middle.x * CELL + (level ? -4 : 12)} y={run.middle.y * CELL + (level ? -9 : 5)}>
                {line.colour}
              </text>
            )}
          </g>
        );
      }),
    [sketch, all, kind, chosenLine],
  );
  const lineStart = action?.what === "line" ? action.from : -1;
  const dots = useMemo(
    () =>
      sketch.dots.map((dot, index) => (
          <g key={index} class={`dot${dot.ground ? " foot" : ""}${index === lineStart ? " from" : ""}${kind.ground ? "" : " large"} is-${dot.mark === "L" ? "left" : dot.mark === "R" ? "right" : "plain"}`}>
            {kind.counter && sketch.start === index && <circle class="counter-ring" cx={dot.x * CELL} cy={dot.y * CELL} r={19} />}
            <circle cx={dot.x * CELL} cy={dot.y * CELL} r={kind.ground ? (dot.ground ? 4.5 : 7) : 14} />
            {!kind.ground && (
              <text x={dot.x * CELL} y={dot.y * CELL + 5} text-anchor="middle">
                {dot.mark !== undefined && dot.mark !== "." ? dot.mark : dot.name.slice(0, 4)}
              </text>
            )}
          </g>
        )),
    [sketch, kind, lineStart],
  );
  const from = action?.what === "line" ? (sketch.dots[action.from] ?? { x: Math.round(action.start.x), y: kind.ground ? rows : Math.round(action.start.y) }) : null;
  const tools: Tool[] = kind.coloured || kind.marks.length > 0 || kind.counter ? ["draw", "move", "colour", "erase"] : ["draw", "move", "erase"];
  const width = (columns + 2 * MARGIN) * CELL;
  const height = (rows + 2 * MARGIN) * CELL;
  const large = columns > WIDE;
  return (
    <div class="drawing">
      <div class="drawing-tools">
        <Choice
          name="tool"
          legend={say("draw_tool")}
          value={tool}
          options={tools.map((value) => ({ value, label: say(value === "colour" && kind.counter ? "draw_counter" : `tool_${value}`) }))}
          choose={(next) => {
            cancel();
            setTool(next);
          }}
        />
        {kind.coloured && (
          <Choice
            name="pen"
            legend={say("colour")}
            value={pen}
            options={COLOURS.map((value: Colour) => ({
              value,
              label: (
                <span class="pen">
                  <svg viewBox="0 0 34 10" width="34" height="10" aria-hidden="true">
                    <path class={`line ${value}`} d="M 2 5 L 32 5" />
                  </svg>
                  {say(COLOUR_WORD[value])}
                </span>
              ),
            }))}
            choose={(value) => setPen(value)}
          />
        )}
        <span class="drawing-steps">
          <button type="button" class="icon" disabled={!canUndo} onClick={undo} aria-label={say("undo")} title={say("undo")}>
            <Icon name="back" />
          </button>
          <button type="button" class="icon" disabled={!canRedo} onClick={redo} aria-label={say("redo")} title={say("redo")}>
            <Icon name="forth" />
          </button>
          <button type="button" class="plain" disabled={sketch.dots.length === 0} onClick={clear}>
            {say("draw_clear")}
          </button>
        </span>
      </div>
      <div class="paper-room">
        <svg
          ref={frame}
          class={`sheet-of-paper ${tool}${action ? " busy" : ""}${large ? " large" : ""}`}
          style={{ minWidth: large ? `${(columns + 2 * MARGIN) * MIN_CELL}px` : "" }}
          viewBox={`${-MARGIN * CELL} ${-MARGIN * CELL} ${width} ${height}`}
          tabIndex={0}
          role="application"
          aria-label={say("draw_here")}
          aria-describedby="drawing-keys"
          aria-roledescription={say("draw_role")}
          onPointerDown={press}
          onPointerMove={drag}
          onPointerUp={release}
          onPointerCancel={cancel}
          onKeyDown={key}
          onBlur={() => setByKeyboard(false)}
        >
          <defs>
            <marker id="drawn-tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto-start-reverse">
              <path class="tip" d="M 0 0.5 L 10 5 L 0 9.5 z" />
            </marker>
            <pattern id="drawn-grid" x={-CELL / 2} y={-CELL / 2} width={CELL} height={CELL} patternUnits="userSpaceOnUse">
              <circle cx={CELL / 2} cy={CELL / 2} r={1.6} />
            </pattern>
          </defs>
          <rect class="grid" aria-hidden="true" x={-CELL / 2} y={-CELL / 2} width={(columns + 1) * CELL} height={(rows + (kind.ground ? 0 : 1)) * CELL} fill="url(#drawn-grid)" />
          {kind.ground && (
            <g class="earth" aria-hidden="true">
              <path d={`M ${-0.5 * CELL} ${rows * CELL} H ${(columns + 0.5) * CELL}`} />
              <path
                class="hatch"
                d={Array.from({ length: Math.floor(((columns + 1) * CELL) / 14) }, (_, index) => `M ${-0.5 * CELL + 14 * index} ${rows * CELL + 14} l 10 -12`).join(" ")}
              />
            </g>
          )}
          {lines}
          {action?.what === "line" && from && (
            <path class={`line ${kind.coloured ? pen : "g plain"} rubber`} d={`M ${from.x * CELL} ${from.y * CELL} L ${action.to.x * CELL} ${action.to.y * CELL}`} />
          )}
          {dots}
          {byKeyboard && <rect class="cursor" x={cursor.x * CELL - 17} y={cursor.y * CELL - 17} width={34} height={34} rx={8} />}
          {sketch.dots.length === 0 && action === null && (
            <text class="invitation" x={(columns / 2) * CELL} y={(rows / 2) * CELL} text-anchor="middle">
              {say(kind.ground ? "draw_first_ground" : "draw_first")}
            </text>
          )}
        </svg>
      </div>
      <p id="drawing-keys" class="note">
        {say(kind.ground ? "draw_keys_hackenbush" : kind.counter ? "draw_keys_arrows" : kind.marks.length > 0 ? "draw_keys_marks" : "draw_keys_graph")}
      </p>
    </div>
  );
}
