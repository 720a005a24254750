// The editor of Hackenbush pictures and graphs. It converts between expression and drawing, and has
// its own undo history.
import { useEffect, useRef, useState } from "preact/hooks";
import { askOnce } from "../state/request.ts";
import { usePage } from "../state/page.ts";
import { Drawing } from "./Drawing.tsx";
import { type Figure, type Paper, layOut, paperFor } from "./figures.ts";
import { type Call, termsOf, callText } from "./literal.ts";
import { restorePlaces, withPlaces } from "./places.ts";
import { CELL, type Sketch } from "./sketch.ts";

interface Props {
  figure: Figure;
  call: Call;
  change(call: Call): void;
}

interface DrawingHistory {
  past: Sketch[];
  /** The last drawing in the undo history; `shown` may be an intermediate state of a drag. */
  last: Sketch;
  shown: Sketch;
  future: Sketch[];
  paper: Paper;
}

/** The key of the URL parameter that stores the places of dots. */
const PLACES = "edit.places";
const MAX_STEPS = 200;

export function FigureEditor({ figure, call, change }: Props) {
  const { state, engine, reportOffline, say, announce, change: changeState } = usePage();
  const frame = useRef<HTMLDivElement>(null);
  const [history, setHistory] = useState<DrawingHistory | null>(null);
  const latest = useRef<DrawingHistory | null>(null);
  latest.current = history;
  const text = callText(call);
  const lastText = useRef("");

  // An expression from elsewhere is laid out like the picture drawn by the engine.
  useEffect(() => {
    if (lastText.current === text) return;
    lastText.current = text;
    const sketch = figure.read(call);
    if (!sketch) return;
    const room = Math.max(6, Math.min(15, Math.floor(((frame.current?.clientWidth ?? 600) - 40) / CELL) - 1));
    const begin = (shown: Sketch, paper: Paper) =>
      setHistory((before) => {
        const past = before ? [...before.past, before.last].slice(-MAX_STEPS) : [];
        return { past, last: shown, shown, future: [], paper };
      });
    const known = restorePlaces(state.more[PLACES] ?? "", text, sketch);
    if (known) {
      begin(known, paperFor(known, room));
      return;
    }
    const stop = new AbortController();
    void askOnce(engine, reportOffline, "board", { game: text, play: "normal", moves: "" }, stop.signal).then((response) => {
      if (response === null) return;
      const laid = layOut(sketch, figure.kind, "answer" in response ? (response.answer.svg ?? null) : null, room);
      begin(laid.sketch, laid.paper);
    });
    return () => {
      stop.abort();
      if (latest.current === null) lastText.current = "";
    };
  }, [text, figure]);

  const show = (next: DrawingHistory) => {
    const newCall = figure.write(next.shown, call);
    const newText = callText(newCall);
    setHistory(next);
    const unchanged = newText === lastText.current;
    lastText.current = newText;
    if (!unchanged) change(newCall);
    // An unfinished drag has no expression yet.
    if (next.shown !== next.last) return;
    const blank = figure.read(newCall);
    if (!blank) return;
    changeState((now) => {
      const terms = termsOf(now.game).flatMap((term) => (term.call ? [callText(term.call)] : []));
      return { ...now, more: { ...now.more, [PLACES]: withPlaces(now.more[PLACES] ?? "", newText, blank, next.shown, terms) } };
    });
  };
  const draw = (sketch: Sketch, moving = false) => {
    if (!history) return;
    if (moving) show({ ...history, shown: sketch });
    else if (sketch !== history.last) show({ ...history, past: [...history.past, history.last].slice(-MAX_STEPS), last: sketch, shown: sketch, future: [] });
  };
  const undo = () => {
    const before = history?.past.at(-1);
    if (!history || !before) return;
    announce(say("undo"));
    show({ ...history, past: history.past.slice(0, -1), last: before, shown: before, future: [history.last, ...history.future] });
  };
  const redo = () => {
    const [next, ...rest] = history?.future ?? [];
    if (!history || !next) return;
    announce(say("redo"));
    show({ ...history, past: [...history.past, history.last], last: next, shown: next, future: rest });
  };
  return (
    <div ref={frame}>
      {history && (
        <Drawing
          kind={figure.kind}
          sketch={history.shown}
          paper={history.paper}
          change={draw}
          undo={undo}
          redo={redo}
          canUndo={history.past.length > 0}
          canRedo={history.future.length > 0}
          clear={() => draw({ dots: [], lines: [], ...(history.shown.grounds ? { grounds: history.shown.grounds } : {}) })}
        />
      )}
    </div>
  );
}
