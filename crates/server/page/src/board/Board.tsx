// The board with the picture, the player to move, the move list, the navigation and the history.
import { useMemo, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { JudgedMove, Move } from "../engine/answers.ts";
import { standingWord } from "../outcome.ts";
import { PendingIndicator } from "../shell/PendingIndicator.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { useFallingEdges } from "../editors/fallingEdges.ts";
import { pageBoard } from "../editors/pageBoard.ts";
import { usePage, useMatch } from "../state/page.ts";
import { FIRST_GAME } from "../state/state.ts";
import { History } from "./History.tsx";
import { HintBar } from "./HintBar.tsx";
import { edgesColoured } from "./marks.ts";
import { MoveList } from "./MoveList.tsx";
import { TouchPicture } from "./TouchPicture.tsx";
import { Transport } from "./Transport.tsx";
import { leavesWords, nextMoveWords, resultWords, toMoveWords } from "./matchWords.ts";

const NONE = new Map<string, JudgedMove>();

/** Returns the analysed moves on the board, by their texts `write`. */
function useJudged(): Map<string, JudgedMove> {
  const { board, analysis, fresh } = useMatch();
  const position = board.answer?.position;
  return useMemo(() => {
    const answer = analysis.answer;
    if (!answer || !fresh || answer.position !== position) return NONE;
    return new Map(answer.moves.map((move) => [move.write, move]));
  }, [analysis.answer, fresh, position]);
}

/** A list of all moves as buttons, each with the outcome after it. */
export function Moves() {
  const { board, fresh, readerMayMove } = useMatch();
  const judged = useJudged();
  const { answer } = board;
  if (!answer) return null;
  return <MoveList moves={answer.moves} complete={answer.complete} judged={judged} active={fresh && readerMayMove && !answer.over} />;
}

/** The board of the page. */
export function Board() {
  const { state, say } = usePage();
  const { board } = useMatch();
  const first = state.game === FIRST_GAME && state.moves.length === 0 && state.play === "normal";
  return (
    <BoardFrame welcome={first ? <p class="welcome">{say("first_visit")}</p> : null} trouble={<p class="note">{say("board_none")}</p>}>
      {board.answer && (
        <>
          <TablebaseNote />
          <Transport>
            <EditLink />
          </Transport>
          <HintBar />
          <Moves />
          <History />
        </>
      )}
    </BoardFrame>
  );
}

/** A note that the outcomes come from a tablebase, with a link that turns this off. */
function TablebaseNote() {
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
function EditLink() {
  const { state, change, say } = usePage();
  if (state.view === "edit" || state.view === "rules") return null;
  return (
    <button type="button" class="plain" onClick={() => change((now) => ({ ...now, view: now.rules !== "" && now.game.includes("game(") ? "rules" : "edit" }))}>
      {say("edit_this")}
    </button>
  );
}

interface BoardFrameProps {
  /** `true` if the page has several boards; none of them is then a landmark. */
  several?: boolean;
  /** The content above the picture. */
  welcome?: ComponentChildren;
  /** The content shown instead of a missing board. */
  trouble: ComponentChildren;
  /** The content below the picture. */
  children?: ComponentChildren;
}

/** The player to move and the picture. Every move that has a place in the picture is a button. */
export function BoardFrame({ several = false, welcome, trouble, children }: BoardFrameProps) {
  const { state, say } = usePage();
  const match = useMatch();
  const frame = useRef<HTMLElement>(null);
  const { board, analysis, fresh, readerMayMove } = match;
  const [hovered, setHovered] = useState<Move | null>(null);
  const answer = board.answer;
  const fallingText = useFallingEdges(frame, answer, hovered);
  const svg = useMemo(() => (answer ? (pageBoard(answer) ?? answer.svg) : undefined), [answer]);
  const judged = useJudged();

  if (!answer) {
    return (
      <section id="board" class="board" part="board" role={several ? "group" : undefined} tabIndex={-1} aria-label={say("board")}>
        {board.trouble?.kind === "offline" ? <Trouble trouble={board.trouble} />
        : board.trouble ? trouble
        : <PendingIndicator pending={board.pending} />}
      </section>
    );
  }
  const words = (move: Move): string => {
    const text = nextMoveWords(move, answer, say);
    const judgedMove = judged.get(move.write);
    return judgedMove?.leaves ? say("move_and_leaves", { move: text, leaves: leavesWords(judgedMove, say) }) : text;
  };
  const active = fresh && readerMayMove && !answer.over;
  const standing = judged === NONE ? undefined : (analysis.answer?.standing ?? undefined);
  return (
    <section id="board" class="board" part="board" role={several ? "group" : undefined} ref={frame} tabIndex={-1} aria-label={say("board")}>
      <p class="turn" part="turn">
        {answer.over ? <strong>{resultWords(answer, state, say)}</strong> : toMoveWords(answer, state, say)}
        {!answer.over && standing && <span class="standing">{say(standingWord(standing))}</span>}
        {match.thinking && <PendingIndicator pending />}
      </p>
      {welcome}
      {svg && (
        <TouchPicture
          svg={svg}
          label={say("board_of", { position: answer.position })}
          moves={answer.moves}
          judged={judged}
          words={words}
          onPress={(move) => match.prefetch(move.write)}
          play={(move) => match.play(move.write)}
          hover={setHovered}
          highlighted={match.highlighted}
          active={active}
        />
      )}
      <p class="caption" aria-hidden="true">
        {hovered && fresh ? `${words(hovered)}${fallingText === "" ? "" : `. ${say("falls", { edges: fallingText })}`}` : judged.size > 0 ? say(edgesColoured(answer.svg ?? "") ? "marks_legend_plain" : "marks_legend") : "\u00a0"}
      </p>
      {children}
    </section>
  );
}
