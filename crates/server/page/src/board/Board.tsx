// The board with all that belongs under it: whose turn it is, the moves, back and forth, the history.
import { useMemo, useState } from "preact/hooks";
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

export function Board() {
  const { state, say } = usePage();
  const table = useTable();
  const { board, analysis, fresh, yours } = table;
  const [seen, look] = useState<Move | null>(null);
  const answer = board.answer;
  const falls = useFalling(answer, seen);
  const svg = useMemo(() => (answer ? (ownBoard(answer) ?? answer.svg) : undefined), [answer]);
  const judged = useMemo(() => {
    const known = analysis.answer;
    if (!known || !fresh || known.position !== answer?.position) return NONE;
    return new Map(known.moves.map((move) => [move.write, move]));
  }, [analysis.answer, fresh, answer?.position]);

  if (!answer) {
    return (
      <section id="board" class="board" tabIndex={-1} aria-label={say("board")}>
        {board.trouble?.kind === "offline" ? <Trouble trouble={board.trouble} />
        : board.trouble ? <p class="note">{say("board_none")}</p>
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
  const first = state.game === FIRST_GAME && state.moves.length === 0 && state.play === "normal";
  return (
    <section id="board" class="board" tabIndex={-1} aria-label={say("board")}>
      <p class="turn">
        {answer.over ? <strong>{resultWords(answer, state, say)}</strong> : toMoveWords(answer, state, say)}
        {!answer.over && standing && <span class="standing">{say(standingWord(standing))}</span>}
        {table.thinking && <Slow pending />}
      </p>
      {first && <p class="welcome">{say("first_visit")}</p>}
      {svg && (
        <TouchPicture
          svg={svg}
          label={say("board_of", { position: answer.position })}
          moves={answer.moves}
          judged={judged}
          words={words}
          play={(move) => table.play(move.write)}
          look={look}
          pointed={table.pointed}
          active={active}
        />
      )}
      <p class="caption" aria-hidden="true">
        {seen && fresh ? `${words(seen)}${falls === "" ? "" : `. ${say("falls", { edges: falls })}`}` : judged.size > 0 ? say(edgesColoured(answer.svg ?? "") ? "marks_legend_plain" : "marks_legend") : "\u00a0"}
      </p>
      <Transport />
      <HintBar />
      <MoveList moves={answer.moves} complete={answer.complete} judged={judged} active={active} />
      <History />
    </section>
  );
}
