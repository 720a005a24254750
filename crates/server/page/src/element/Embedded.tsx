// The board embedded in another page, with its own controls and state.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { HintBar } from "../board/HintBar.tsx";
import { Moves, BoardFrame } from "../board/Board.tsx";
import { Transport } from "../board/Transport.tsx";
import { useMatchState } from "../board/match.ts";
import type { BoardAnswer } from "../engine/answers.ts";
import type { Engine } from "../engine/engine.ts";
import { useDark } from "../shell/colours.ts";
import { PendingIndicator } from "../shell/PendingIndicator.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { useConnection } from "../state/connection.ts";
import { type Page, PageContext, MatchContext, usePage, useMatch } from "../state/page.ts";
import type { State } from "../state/state.ts";
import { OutcomeAndValue } from "../views/OutcomeAndValue.tsx";
import { speaker } from "../words.ts";
import type { AnswerVisibility, Settings } from "./settings.ts";

interface Props {
  settings: Settings;
  engine: Engine;
  host: HTMLElement;
  /** Called with every new position on the board. */
  onPosition(board: BoardAnswer): void;
}

export function Embedded({ settings, engine, host, onPosition }: Props) {
  const { lang, theme } = settings.state;
  const [matchState, setMatchState] = useState(settings.state);
  const [requested, setRequested] = useState(false);
  const [announcement, announce] = useState("");
  const { connection, reportOffline } = useConnection(engine);
  const dark = useDark(theme, host);
  const marks = settings.answer === "shown" || (settings.answer === "on-request" && requested);
  const change = useCallback((update: (state: State) => State) => setMatchState(update), []);
  const state = useMemo(() => ({ ...matchState, lang, theme }), [matchState, lang, theme]);
  const say = useMemo(() => speaker(lang), [lang]);
  const page = useMemo<Page>(
    () => ({ state, view: { id: state.view, layout: "beside", marks }, change, engine, connection, reportOffline, say, announce, dark }),
    [state, marks, change, engine, connection, reportOffline, say, dark],
  );
  return (
    <div class="embedded" part="frame" lang={lang === "zh" ? "zh-CN" : "en"}>
      <PageContext.Provider value={page}>
        <EmbeddedLayout visibility={settings.answer} requested={requested} setRequested={setRequested} onPosition={onPosition} />
      </PageContext.Provider>
      <div class="unseen" role="status" aria-live="polite">
        {announcement}
      </div>
    </div>
  );
}

interface EmbeddedLayoutProps {
  visibility: AnswerVisibility;
  requested: boolean;
  setRequested(requested: boolean): void;
  onPosition(board: BoardAnswer): void;
}

function EmbeddedLayout({ visibility, requested, setRequested, onPosition }: EmbeddedLayoutProps) {
  const { state, say } = usePage();
  const match = useMatchState();
  const { answer, trouble } = match.board;
  const reported = useRef<BoardAnswer | null>(null);
  useEffect(() => {
    if (!answer || !match.fresh || reported.current === answer) return;
    reported.current = answer;
    onPosition(answer);
  }, [answer, match.fresh]);
  return (
    <MatchContext.Provider value={match}>
      <BoardFrame
        several
        welcome={state.play === "misere" ? <p class="caption">{say("rule_misere")}</p> : null}
        trouble={trouble && <AttributeTrouble />}
      >
        <Transport hints={visibility !== "never"}>
          {visibility === "on-request" && (
            <button type="button" class="plain" aria-pressed={requested} onClick={() => setRequested(!requested)}>
              {say("element_who_wins")}
            </button>
          )}
        </Transport>
        {match.board.trouble && <AttributeTrouble />}
        <HintBar />
        {match.page.view.marks && <Answer />}
        {answer && answer.moves.length > 0 && (
          <details part="moves">
            <summary>{say("moves")}</summary>
            <Moves />
          </details>
        )}
      </BoardFrame>
    </MatchContext.Provider>
  );
}

/** The error in the attributes of the element. */
function AttributeTrouble() {
  const { state } = usePage();
  const { trouble } = useMatch().board;
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
  const { analysis, board } = useMatch();
  const { answer, trouble, pending } = analysis;
  return (
    <div class="analysis" part="answer">
      {trouble && board.trouble === null && <Trouble trouble={trouble} />}
      {!answer && !trouble && <PendingIndicator pending={pending} />}
      {answer && board.answer && <OutcomeAndValue solution={answer.solution} partizan={board.answer.own_moves} />}
    </div>
  );
}
