// The editor of Hackenbush pictures and graphs. It converts between expression and drawing, and has
// its own undo history.
import { useEffect, useRef, useState } from "preact/hooks";
import { askOnce } from "../state/asked.ts";
import { usePage } from "../state/page.ts";
import { Drawing } from "./Drawing.tsx";
import { type Figure, type Paper, laidOut, paperFor } from "./figures.ts";
import { type Call, termsOf, writtenCall } from "./literal.ts";
import { placedAs, withPlaces } from "./places.ts";
import { CELL, type Sketch } from "./sketch.ts";

interface Props {
  figure: Figure;
  call: Call;
  change(call: Call): void;
}

interface Drawn {
  past: Sketch[];
  /** The last drawing in the undo history; `shown` may be an intermediate state of a drag. */
  kept: Sketch;
  shown: Sketch;
  future: Sketch[];
  paper: Paper;
}

/** The key of the URL parameter that stores the places of dots. */
const PLACES = "edit.places";
const STEPS = 200;

export function FigureEditor({ figure, call, change }: Props) {
  const { state, engine, lost, say, announce, change: turn } = usePage();
  const frame = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const latest = useRef<Drawn | null>(null);
  latest.current = drawn;
  const text = writtenCall(call);
  const own = useRef("");

  // An expression from elsewhere is laid out like the picture drawn by the engine.
  useEffect(() => {
    if (own.current === text) return;
    own.current = text;
    const sketch = figure.read(call);
    if (!sketch) return;
    const room = Math.max(6, Math.min(15, Math.floor(((frame.current?.clientWidth ?? 600) - 40) / CELL) - 1));
    const begin = (shown: Sketch, paper: Paper) =>
      setDrawn((before) => {
        const past = before ? [...before.past, before.kept].slice(-STEPS) : [];
        return { past, kept: shown, shown, future: [], paper };
      });
    const known = placedAs(state.more[PLACES] ?? "", text, sketch);
    if (known) {
      begin(known, paperFor(known, room));
      return;
    }
    const stop = new AbortController();
    void askOnce(engine, lost, "board", { game: text, play: "normal", moves: "" }, stop.signal).then((asked) => {
      if (asked === null) return;
      const laid = laidOut(sketch, figure.kind, "answer" in asked ? (asked.answer.svg ?? null) : null, room);
      begin(laid.sketch, laid.paper);
    });
    return () => {
      stop.abort();
      if (latest.current === null) own.current = "";
    };
  }, [text, figure]);

  const show = (next: Drawn) => {
    const drawnCall = figure.write(next.shown, call);
    const written = writtenCall(drawnCall);
    setDrawn(next);
    const said = written === own.current;
    own.current = written;
    if (!said) change(drawnCall);
    // An unfinished drag has no expression yet.
    if (next.shown !== next.kept) return;
    const blank = figure.read(drawnCall);
    if (!blank) return;
    turn((now) => {
      const terms = termsOf(now.game).flatMap((term) => (term.call ? [writtenCall(term.call)] : []));
      return { ...now, more: { ...now.more, [PLACES]: withPlaces(now.more[PLACES] ?? "", written, blank, next.shown, terms) } };
    });
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
          paper={drawn.paper}
          change={draw}
          undo={undo}
          redo={redo}
          canUndo={drawn.past.length > 0}
          canRedo={drawn.future.length > 0}
          clear={() => draw({ dots: [], lines: [], ...(drawn.shown.grounds ? { grounds: drawn.shown.grounds } : {}) })}
        />
      )}
    </div>
  );
}
