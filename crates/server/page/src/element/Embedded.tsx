// The board embedded in another page, with its own controls and state.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { HintBar } from "../board/HintBar.tsx";
import { Moves, Stand } from "../board/Board.tsx";
import { Transport } from "../board/Transport.tsx";
import { useTableState } from "../board/table.ts";
import type { BoardAnswer } from "../engine/answers.ts";
import type { Engine } from "../engine/engine.ts";
import { useDark } from "../shell/colours.ts";
import { Slow } from "../shell/Slow.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { useConnection } from "../state/connection.ts";
import { type Page, PageContext, TableContext, usePage, useTable } from "../state/page.ts";
import type { State } from "../state/state.ts";
import { Says } from "../views/Says.tsx";
import { speaker } from "../words.ts";
import type { Answering, Settings } from "./settings.ts";

interface Props {
  settings: Settings;
  engine: Engine;
  host: HTMLElement;
  /** Called with every new position on the board. */
  stands(board: BoardAnswer): void;
}

export function Embedded({ settings, engine, host, stands }: Props) {
  const { lang, theme } = settings.state;
  const [played, setPlayed] = useState(settings.state);
  const [asked, ask] = useState(false);
  const [spoken, announce] = useState("");
  const { connection, lost } = useConnection(engine);
  const dark = useDark(theme, host);
  const marks = settings.answer === "shown" || (settings.answer === "on-request" && asked);
  const change = useCallback((update: (state: State) => State) => setPlayed(update), []);
  const state = useMemo(() => ({ ...played, lang, theme }), [played, lang, theme]);
  const say = useMemo(() => speaker(lang), [lang]);
  const page = useMemo<Page>(
    () => ({ state, view: { id: state.view, layout: "beside", marks }, change, engine, connection, lost, say, announce, dark }),
    [state, marks, change, engine, connection, lost, say, dark],
  );
  return (
    <div class="embedded" part="frame" lang={lang === "zh" ? "zh-CN" : "en"}>
      <PageContext.Provider value={page}>
        <Room answering={settings.answer} asked={asked} ask={ask} stands={stands} />
      </PageContext.Provider>
      <div class="unseen" role="status" aria-live="polite">
        {spoken}
      </div>
    </div>
  );
}

interface RoomProps {
  answering: Answering;
  asked: boolean;
  ask(asked: boolean): void;
  stands(board: BoardAnswer): void;
}

function Room({ answering, asked, ask, stands }: RoomProps) {
  const { state, say } = usePage();
  const table = useTableState();
  const { answer, trouble } = table.board;
  const heard = useRef<BoardAnswer | null>(null);
  useEffect(() => {
    if (!answer || !table.fresh || heard.current === answer) return;
    heard.current = answer;
    stands(answer);
  }, [answer, table.fresh]);
  return (
    <TableContext.Provider value={table}>
      <Stand
        one
        welcome={state.play === "misere" ? <p class="caption">{say("rule_misere")}</p> : null}
        trouble={trouble && <Wrong />}
      >
        <Transport hints={answering !== "never"}>
          {answering === "on-request" && (
            <button type="button" class="plain" aria-pressed={asked} onClick={() => ask(!asked)}>
              {say("element_who_wins")}
            </button>
          )}
        </Transport>
        {table.board.trouble && <Wrong />}
        <HintBar />
        {table.page.view.marks && <Answer />}
        {answer && answer.moves.length > 0 && (
          <details part="moves">
            <summary>{say("moves")}</summary>
            <Moves />
          </details>
        )}
      </Stand>
    </TableContext.Provider>
  );
}

/** The error in the attributes of the element. */
function Wrong() {
  const { state } = usePage();
  const { trouble } = useTable().board;
  if (!trouble) return null;
  return (
    <div role="alert" part="error">
      <p>
        <code>{state.game}</code>
      </p>
      <Trouble trouble={trouble} />
    </div>
  );
}

/** The outcome and the value. */
function Answer() {
  const { analysis, board } = useTable();
  const { answer, trouble, pending } = analysis;
  return (
    <div class="analysis" part="answer">
      {trouble && board.trouble === null && <Trouble trouble={trouble} />}
      {!answer && !trouble && <Slow pending={pending} />}
      {answer && board.answer && <Says solution={answer.solution} ownMoves={board.answer.own_moves} />}
    </div>
  );
}
