// The analysis: outcome, value, winning moves and method, and copies of the request.
import type { Analysis, BoardAnswer, JudgedMove } from "../engine/answers.ts";
import { Copies } from "../copying/Copies.tsx";
import { PendingIndicator } from "../shell/PendingIndicator.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { useRequest } from "../state/request.ts";
import { commonKeys, usePage, useMatch } from "../state/page.ts";
import { nextMoveWords } from "../board/matchWords.ts";
import { Genus } from "../value/Genus.tsx";
import { OutcomeAndValue } from "./OutcomeAndValue.tsx";
import type { View } from "./views.ts";

export const analyse: View = { id: "analyse", word: "view_analyse", layout: "beside", marks: true, Panel };

const SHOWN = 6;
/** The time limit for the remoteness and the genus, in seconds. Both may be expensive. */
const EXTRA_SECONDS = 5;

function Panel() {
  const { say } = usePage();
  const { analysis, board } = useMatch();
  const { answer, trouble, pending } = analysis;
  return (
    <div class="analysis">
      {trouble && board.trouble === null && <Trouble trouble={trouble} />}
      {!answer && !trouble && <PendingIndicator pending={pending} />}
      {answer && board.answer && <Verdict analysis={answer} />}
      {board.answer && (
        <section class="copying">
          <h2>{say("copy_heading")}</h2>
          <Copies />
        </section>
      )}
    </div>
  );
}

function Verdict({ analysis }: { analysis: Analysis }) {
  const { say } = usePage();
  const board = useMatch().board.answer;
  const { solution } = analysis;
  if (!board) return null;
  return (
    <>
      <OutcomeAndValue solution={solution} partizan={board.own_moves} />
      <GenusLine />
      <BestMoves analysis={analysis} board={board} />
      <dl class="facts">
        <Remoteness />
        {solution.method && (
          <div>
            <dt>{say("method")}</dt>
            <dd class="method">{analysis.method_text ?? solution.method_text ?? solution.method}</dd>
          </div>
        )}
        <div>
          <dt>{say("status")}</dt>
          <dd>
            <span class={`status ${solution.status}`}>{say(`status_${solution.status}`)}</span>
          </dd>
        </div>
      </dl>
      {!analysis.complete && <p class="note">{say("analysis_incomplete")}</p>}
    </>
  );
}

/** The genus in misère play, which determines more than the outcome. */
function GenusLine() {
  const { state, say } = usePage();
  const { board, fresh } = useMatch();
  const position = fresh && state.play === "misere" && state.table === "" ? board.answer?.position : undefined;
  const question = position === undefined ? null : { ...commonKeys(state), game: position, genus: true, no_moves: true, timeout: EXTRA_SECONDS };
  const genus = useRequest("solve", question).answer?.genus;
  if (genus === undefined || genus === null) return null;
  return (
    <p class="value">
      <span class="value-name">{say("genus")}</span> <span class="number">
        <Genus text={genus} />
      </span>
    </p>
  );
}

/** The moves that keep the best possible result. */
function BestMoves({ analysis, board }: { analysis: Analysis; board: BoardAnswer }) {
  const { say } = usePage();
  const { play, highlight, readerMayMove } = useMatch();
  const { standing, moves } = analysis;
  if (moves.length === 0) return <p>{say("no_move")}</p>;
  const reached = moves.some((move) => move.for_mover !== undefined);
  if (!reached || !standing) return null;
  const best = moves.filter((move: JudgedMove) => move.for_mover === standing);
  if (standing === "lose") return <p>{say("every_move_loses")}</p>;
  return (
    <section class="best">
      <h3>{say(standing === "win" ? "best_win" : "best_keep", { count: best.length })}</h3>
      <ul>
        {best.slice(0, SHOWN).map((move) => (
          <li key={move.write}>
            <button
              type="button"
              class="link"
              disabled={!readerMayMove}
              onClick={() => play(move.write)}
              onPointerEnter={() => highlight(move.write)}
              onPointerLeave={() => highlight(null)}
              onFocus={() => highlight(move.write)}
              onBlur={() => highlight(null)}
            >
              {nextMoveWords(move, board, say)}
            </button>{" "}
            {move.to !== undefined && (
              <span class="leads">
                <span aria-hidden="true">→ </span>
                <code>{move.to}</code>
              </span>
            )}
          </li>
        ))}
      </ul>
      {best.length > SHOWN && <p class="note">{say("best_more", { count: best.length - SHOWN })}</p>}
    </section>
  );
}

function Remoteness() {
  const { state, say } = usePage();
  const { analysis, board, fresh } = useMatch();
  const fromTablebase = state.table !== "";
  const position = fresh && !fromTablebase ? board.answer?.position : undefined;
  const question = position === undefined ? null : { ...commonKeys(state), game: position, remoteness: true, timeout: EXTRA_SECONDS };
  const solution = useRequest("solve", question).answer;
  const solved = fromTablebase ? analysis.answer?.solution : solution;
  const remoteness = solved?.remoteness;
  // Only a draw has no end. In a game with ties the remoteness is not defined.
  if (remoteness === undefined || (remoteness === null && solved?.outcome !== "D")) return null;
  const words =
    remoteness === null ? say("remoteness_none")
    : typeof remoteness === "object" ?
      say("remoteness_own", { left: remoteness.left === null ? "∞" : String(remoteness.left), right: remoteness.right === null ? "∞" : String(remoteness.right) })
    : String(remoteness);
  return (
    <div>
      <dt>{say("remoteness")}</dt>
      <dd>{words}</dd>
    </div>
  );
}
