// A picture of Hackenbush or a graph being drawn: between the expression and the drawing, with its own undo.
import { useEffect, useRef, useState } from "preact/hooks";
import { askOnce } from "../state/asked.ts";
import { usePage } from "../state/page.ts";
import { Drawing } from "./Drawing.tsx";
import { type Figure, laidOut } from "./figures.ts";
import { type Call, writtenCall } from "./literal.ts";
import { CELL, type Sketch } from "./sketch.ts";

interface Props {
  figure: Figure;
  call: Call;
  change(call: Call): void;
}

interface Drawn {
  past: Sketch[];
  /** The last drawing that is a step of its own; what is shown may be on the way to the next. */
  kept: Sketch;
  shown: Sketch;
  future: Sketch[];
  columns: number;
}

/** Where dots were when something was drawn: an expression does not say it. */
const places = new Map<string, Sketch>();
const STEPS = 200;

export function FigureEditor({ figure, call, change }: Props) {
  const { engine, lost, say, announce } = usePage();
  const frame = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const latest = useRef<Drawn | null>(null);
  latest.current = drawn;
  const text = writtenCall(call);
  const own = useRef("");

  // An expression that was not drawn here is laid out as the server draws it.
  useEffect(() => {
    if (own.current === text) return;
    own.current = text;
    const sketch = figure.read(call);
    if (!sketch) return;
    const room = Math.max(6, Math.min(15, Math.floor(((frame.current?.clientWidth ?? 600) - 40) / CELL) - 1));
    const begin = (shown: Sketch, columns: number) =>
      setDrawn((before) => {
        const past = before ? [...before.past, before.kept].slice(-STEPS) : [];
        return { past, kept: shown, shown, future: [], columns: Math.max(columns, ...shown.dots.map((dot) => dot.x)) };
      });
    const known = places.get(text);
    if (known) {
      begin(known, room);
      return;
    }
    const stop = new AbortController();
    void askOnce(engine, lost, "board", { game: text, play: "normal", moves: "" }, stop.signal).then((asked) => {
      if (asked === null) return;
      const laid = laidOut(sketch, figure.kind, "answer" in asked ? (asked.answer.svg ?? null) : null, room);
      begin(laid.sketch, laid.columns);
    });
    return () => {
      stop.abort();
      if (latest.current === null) own.current = "";
    };
  }, [text, figure]);

  const show = (next: Drawn) => {
    const written = writtenCall(figure.write(next.shown, call));
    places.set(written, next.shown);
    setDrawn(next);
    if (written === own.current) return;
    own.current = written;
    change(figure.write(next.shown, call));
  };
  const draw = (sketch: Sketch, moving = false) => {
    if (!drawn) return;
    if (moving) show({ ...drawn, shown: sketch });
    else if (sketch !== drawn.kept) show({ ...drawn, past: [...drawn.past, drawn.kept].slice(-STEPS), kept: sketch, shown: sketch, future: [] });
  };
  const undo = () => {
    const before = drawn?.past.at(-1);
    if (!drawn || !before) return;
    announce(say("undo"));
    show({ ...drawn, past: drawn.past.slice(0, -1), kept: before, shown: before, future: [drawn.kept, ...drawn.future] });
  };
  const redo = () => {
    const [next, ...rest] = drawn?.future ?? [];
    if (!drawn || !next) return;
    announce(say("redo"));
    show({ ...drawn, past: [...drawn.past, drawn.kept], kept: next, shown: next, future: rest });
  };
  return (
    <div ref={frame}>
      {drawn && (
        <Drawing
          kind={figure.kind}
          sketch={drawn.shown}
          columns={drawn.columns}
          change={draw}
          undo={undo}
          redo={redo}
          canUndo={drawn.past.length > 0}
          canRedo={drawn.future.length > 0}
          clear={() => draw({ dots: [], lines: [] })}
        />
      )}
    </div>
  );
}
