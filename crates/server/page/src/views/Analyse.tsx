// The analysis: outcome, value, winning moves and method, and copies of the request.
import type { Analysis, BoardAnswer, JudgedMove } from "../engine/answers.ts";
import { Copies } from "../copying/Copies.tsx";
import { Slow } from "../shell/Slow.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { useAsked } from "../state/asked.ts";
import { common, usePage, useTable } from "../state/page.ts";
import { ofMover } from "../board/told.ts";
import { Genus } from "../value/Genus.tsx";
import { Says } from "./Says.tsx";
import type { View } from "./views.ts";

export const analyse: View = { id: "analyse", word: "view_analyse", layout: "beside", marks: true, Panel };

const SHOWN = 6;
/** The time limit for the remoteness and the genus, in seconds. Both may be expensive. */
const BESIDE = 5;

function Panel() {
  const { say } = usePage();
  const { analysis, board } = useTable();
  const { answer, trouble, pending } = analysis;
  return (
    <div class="analysis">
      {trouble && board.trouble === null && <Trouble trouble={trouble} />}
      {!answer && !trouble && <Slow pending={pending} />}
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
  const board = useTable().board.answer;
  const { solution } = analysis;
  if (!board) return null;
  return (
    <>
      <Says solution={solution} ownMoves={board.own_moves} />
      <GenusOf />
      <Best analysis={analysis} board={board} />
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
function GenusOf() {
  const { state, say } = usePage();
  const { board, fresh } = useTable();
  const position = fresh && state.play === "misere" && state.table === "" ? board.answer?.position : undefined;
  const question = position === undefined ? null : { ...common(state), game: position, genus: true, no_moves: true, timeout: BESIDE };
  const genus = useAsked("solve", question).answer?.genus;
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
function Best({ analysis, board }: { analysis: Analysis; board: BoardAnswer }) {
  const { say } = usePage();
  const { play, point, yours } = useTable();
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
              disabled={!yours}
              onClick={() => play(move.write)}
              onPointerEnter={() => point(move.write)}
              onPointerLeave={() => point(null)}
              onFocus={() => point(move.write)}
              onBlur={() => point(null)}
            >
              {ofMover(move, board, say)}
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
  const { analysis, board, fresh } = useTable();
  const looked = state.table !== "";
  const position = fresh && !looked ? board.answer?.position : undefined;
  const question = position === undefined ? null : { ...common(state), game: position, remoteness: true, timeout: BESIDE };
  const asked = useAsked("solve", question).answer;
  const solved = looked ? analysis.answer?.solution : asked;
  const left = solved?.remoteness;
  // Only a draw has no end. In a game with ties the remoteness is not defined.
  if (left === undefined || (left === null && solved?.outcome !== "D")) return null;
  const words =
    left === null ? say("remoteness_none")
    : typeof left === "object" ?
      say("remoteness_own", { left: left.left === null ? "∞" : String(left.left), right: left.right === null ? "∞" : String(left.right) })
    : String(left);
  return (
    <div>
      <dt>{say("remoteness")}</dt>
      <dd>{words}</dd>
    </div>
  );
}
