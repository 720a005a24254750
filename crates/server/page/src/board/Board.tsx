// The board with the picture, the player to move, the move list, the navigation and the history.
import { useMemo, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { JudgedMove, Move } from "../engine/answers.ts";
import { standingWord } from "../outcome.ts";
import { Slow } from "../shell/Slow.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { useFalling } from "../editors/falling.ts";
import { ownBoard } from "../editors/ownBoard.ts";
import { usePage, useTable } from "../state/page.ts";
import { FIRST_GAME } from "../state/state.ts";
import { History } from "./History.tsx";
import { HintBar } from "./HintBar.tsx";
import { edgesColoured } from "./marks.ts";
import { MoveList } from "./MoveList.tsx";
import { TouchPicture } from "./TouchPicture.tsx";
import { Transport } from "./Transport.tsx";
import { leavesWords, ofMover, resultWords, toMoveWords } from "./told.ts";

const NONE = new Map<string, JudgedMove>();

/** Returns the judgements of the moves on the board, by `write`. */
function useJudged(): Map<string, JudgedMove> {
  const { board, analysis, fresh } = useTable();
  const position = board.answer?.position;
  return useMemo(() => {
    const known = analysis.answer;
    if (!known || !fresh || known.position !== position) return NONE;
    return new Map(known.moves.map((move) => [move.write, move]));
  }, [analysis.answer, fresh, position]);
}

/** A list of all moves as buttons, with their judgements. */
export function Moves() {
  const { board, fresh, yours } = useTable();
  const judged = useJudged();
  const { answer } = board;
  if (!answer) return null;
  return <MoveList moves={answer.moves} complete={answer.complete} judged={judged} active={fresh && yours && !answer.over} />;
}

/** The board of the page. */
export function Board() {
  const { state, say } = usePage();
  const { board } = useTable();
  const first = state.game === FIRST_GAME && state.moves.length === 0 && state.play === "normal";
  return (
    <Stand welcome={first ? <p class="welcome">{say("first_visit")}</p> : null} trouble={<p class="note">{say("board_none")}</p>}>
      {board.answer && (
        <>
          <Looked />
          <Transport>
            <EditThis />
          </Transport>
          <HintBar />
          <Moves />
          <History />
        </>
      )}
    </Stand>
  );
}

/** A note that the board is looked up in a tablebase, with a link back to solving. */
function Looked() {
  const { state, change, say } = usePage();
  if (state.table === "") return null;
  return (
    <p class="note looked">
      {say("tables_looked", { table: state.table })}{" "}
      <button type="button" class="link" onClick={() => change((now) => ({ ...now, table: "" }))}>
        {say("tables_leave")}
      </button>
    </p>
  );
}

/** A link from the board to its editor. */
function EditThis() {
  const { state, change, say } = usePage();
  if (state.view === "edit" || state.view === "rules") return null;
  return (
    <button type="button" class="plain" onClick={() => change((now) => ({ ...now, view: now.rules !== "" && now.game.includes("game(") ? "rules" : "edit" }))}>
      {say("edit_this")}
    </button>
  );
}

interface StandProps {
  /** `true` if the page has several boards; none of them is then a landmark. */
  one?: boolean;
  /** The content above the picture. */
  welcome?: ComponentChildren;
  /** The content shown instead of a missing board. */
  trouble: ComponentChildren;
  /** The content below the picture. */
  children?: ComponentChildren;
}

/** The player to move and the picture, in which every move with a place is a button. */
export function Stand({ one = false, welcome, trouble, children }: StandProps) {
  const { state, say } = usePage();
  const table = useTable();
  const frame = useRef<HTMLElement>(null);
  const { board, analysis, fresh, yours } = table;
  const [seen, look] = useState<Move | null>(null);
  const answer = board.answer;
  const falls = useFalling(frame, answer, seen);
  const svg = useMemo(() => (answer ? (ownBoard(answer) ?? answer.svg) : undefined), [answer]);
  const judged = useJudged();

  if (!answer) {
    return (
      <section id="board" class="board" part="board" role={one ? "group" : undefined} tabIndex={-1} aria-label={say("board")}>
        {board.trouble?.kind === "offline" ? <Trouble trouble={board.trouble} />
        : board.trouble ? trouble
        : <Slow pending={board.pending} />}
      </section>
    );
  }
  const words = (move: Move): string => {
    const text = ofMover(move, answer, say);
    const known = judged.get(move.write);
    return known?.leaves ? say("move_and_leaves", { move: text, leaves: leavesWords(known, say) }) : text;
  };
  const active = fresh && yours && !answer.over;
  const standing = judged === NONE ? undefined : (analysis.answer?.standing ?? undefined);
  return (
    <section id="board" class="board" part="board" role={one ? "group" : undefined} ref={frame} tabIndex={-1} aria-label={say("board")}>
      <p class="turn" part="turn">
        {answer.over ? <strong>{resultWords(answer, state, say)}</strong> : toMoveWords(answer, state, say)}
        {!answer.over && standing && <span class="standing">{say(standingWord(standing))}</span>}
        {table.thinking && <Slow pending />}
      </p>
      {welcome}
      {svg && (
        <TouchPicture
          svg={svg}
          label={say("board_of", { position: answer.position })}
          moves={answer.moves}
          judged={judged}
          words={words}
          press={(move) => table.press(move.write)}
          play={(move) => table.play(move.write)}
          look={look}
          pointed={table.pointed}
          active={active}
        />
      )}
      <p class="caption" aria-hidden="true">
        {seen && fresh ? `${words(seen)}${falls === "" ? "" : `. ${say("falls", { edges: falls })}`}` : judged.size > 0 ? say(edgesColoured(answer.svg ?? "") ? "marks_legend_plain" : "marks_legend") : "\u00a0"}
      </p>
      {children}
    </section>
  );
}
