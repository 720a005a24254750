// Practice: predict the outcome, the value or a move.
import { useEffect, useRef, useState } from "preact/hooks";
import { Picture } from "../board/Picture.tsx";
import { TouchPicture } from "../board/TouchPicture.tsx";
import { ofMover } from "../board/told.ts";
import { ownBoard } from "../editors/ownBoard.ts";
import type { Ask, BoardQuestion, JudgedMove, PracticeAnswer, PracticeQuestion } from "../engine/answers.ts";
import { stages } from "../explanation.ts";
import { allGames, called, namesIn, useGames } from "../games/known.ts";
import { outcomeSentence } from "../outcome.ts";
import { Choice } from "../shell/Choice.tsx";
import { Slow } from "../shell/Slow.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { askOnce, useAsked } from "../state/asked.ts";
import { usePage } from "../state/page.ts";
import { opened } from "../state/state.ts";
import { StageText } from "./StageText.tsx";
import type { View } from "./views.ts";

export const practice: View = { id: "practice", word: "view_practice", layout: "wide", marks: false, Panel };

const FIRST_LEVEL = 3;
const HARDEST = 10;
const ASKS: Ask[] = ["outcome", "value", "move"];

const newSeed = (): number => Math.floor(Math.random() * 2 ** 31);

function Panel() {
  const { state, change, engine, lost, say, announce } = usePage();
  const groups = useGames().answer;
  const games = allGames(groups);
  const game = state.more.practise ?? namesIn(state.game, games)[0] ?? "nim";
  const ask = ASKS.find((known) => known === state.more.ask) ?? "outcome";
  const [level, setLevel] = useState(FIRST_LEVEL);
  const [seed, setSeed] = useState(newSeed);
  const [score, setScore] = useState({ right: 0, of: 0 });
  const [judged, setJudged] = useState<PracticeAnswer | null>(null);
  const [written, setWritten] = useState("");
  const [given, setGiven] = useState("");
  const judging = useRef<AbortController | null>(null);
  const next = useRef<HTMLButtonElement>(null);
  // The level of the current question. A change of the level applies to the next question.
  const [asking, setAsking] = useState(FIRST_LEVEL);

  const question: PracticeQuestion = { game, ask, level: asking, seed, play: state.play, lang: state.lang };
  const { answer, trouble, pending } = useAsked("practice", question);

  useEffect(() => {
    judging.current?.abort();
    setJudged(null);
    setWritten("");
  }, [game, ask, seed, state.play]);
  useEffect(() => {
    if (judged) next.current?.focus();
  }, [judged]);

  const judge = async (said: string) => {
    if (said.trim() === "" || judged) return;
    judging.current?.abort();
    const stop = new AbortController();
    judging.current = stop;
    const asked = await askOnce(engine, lost, "practice", { ...question, answer: said }, stop.signal);
    if (asked === null || "trouble" in asked) return;
    const verdict = asked.answer.judged;
    setGiven(said);
    if (verdict === "unread") {
      announce(say("practice_unread"));
      setWritten("");
      return;
    }
    const right = verdict === "right";
    setJudged(asked.answer);
    setScore((before) => ({ right: before.right + (right ? 1 : 0), of: before.of + 1 }));
    setLevel((before) => Math.max(0, Math.min(HARDEST, before + (right ? 1 : -1))));
    announce(say(right ? "practice_right" : "practice_wrong"));
  };
  const go = () => {
    setAsking(level);
    setSeed(newSeed());
  };
  const chosen = (key: string, value: string) => {
    setSeed(newSeed());
    change((now) => ({ ...now, more: { ...now.more, [key]: value } }));
  };

  return (
    <div class="practice">
      <div class="practice-bar">
        <label class="field">
          <span>{say("practice_game")}</span>
          <select value={game} onChange={(event) => chosen("practise", event.currentTarget.value)}>
            {groups?.groups.map((group) => (
              <optgroup key={group.group} label={group.title}>
                {group.games.map((listed) => (
                  <option key={listed.name} value={listed.name}>
                    {called(listed, state.lang)}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </label>
        <Choice
          name="ask"
          legend={say("practice_ask")}
          said
          value={ask}
          options={ASKS.map((value) => ({ value, label: say(`practice_ask_${value}`) }))}
          choose={(value) => chosen("ask", value)}
        />
        <p class="score">
          <span>{say("practice_score", { right: score.right, of: score.of })}</span>
          <span class="level-dots" role="img" aria-label={say("level_of", { level })}>
            {Array.from({ length: HARDEST }, (_, index) => (
              <i key={index} class={index < level ? "full" : ""} />
            ))}
          </span>
        </p>
      </div>
      {trouble && <Trouble trouble={trouble} />}
      {!answer && !trouble && <Slow pending={pending} />}
      {answer && (
        <div class="practice-question">
          <div class="practice-board">
            {answer.ask === "move" && !judged ?
              <MoveAnswer answer={answer} judge={judge} />
            : answer.svg && <Picture svg={answer.svg} label={answer.position} scale={2} />}
            <p>
              <code>{answer.position}</code>
            </p>
          </div>
          <div class="practice-answer">
            <h2>{answer.question}</h2>
            {state.play === "misere" && <p class="note">{say("rule_misere")}</p>}
            {judged ?
              <Reason judged={judged} given={given} />
            : answer.ask === "move" ?
              <p class="note">{say("practice_play_it")}</p>
            : <Answers answer={answer} written={written} write={setWritten} judge={judge} />}
            {judged && (
              <div class="explain-bar">
                <button type="button" class="main" ref={next} onClick={go}>
                  {say("practice_next")}
                </button>
                <button
                  type="button"
                  class="plain"
                  onClick={() => change((now) => ({ ...opened(now, answer.position), view: "analyse" }), "push")}
                >
                  {say("practice_open")}
                </button>
              </div>
            )}
          </div>
        </div>
      )}
    </div>
  );
}

interface AnswersProps {
  answer: PracticeAnswer;
  written: string;
  write(text: string): void;
  judge(said: string): void;
}

function Answers({ answer, written, write, judge }: AnswersProps) {
  const { say } = usePage();
  const choices = answer.choices ?? [];
  if (choices.length > 0) {
    return (
      <div class={`answers ${answer.ask}`}>
        {choices.map((choice) => (
          <button key={choice} type="button" class="answer" onClick={() => judge(choice)}>
            {answer.ask === "outcome" ? outcomeSentence(choice, choices.includes("L"), say) : choice}
          </button>
        ))}
      </div>
    );
  }
  return (
    <form
      class="written-answer"
      onSubmit={(event) => {
        event.preventDefault();
        judge(written);
      }}
    >
      <label class="field">
        <span>{say("practice_answer")}</span>
        <input
          value={written}
          inputMode={answer.ask === "value" ? "numeric" : "text"}
          autocomplete="off"
          onInput={(event) => write(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="main">
        {say("practice_judge")}
      </button>
    </form>
  );
}

const UNJUDGED = new Map<string, JudgedMove>();

/** A board on which the answer is given as a move. */
function MoveAnswer({ answer, judge }: { answer: PracticeAnswer; judge(said: string): void }) {
  const { state, say } = usePage();
  const question: BoardQuestion = { game: answer.position, play: state.play, lang: state.lang, moves: "" };
  if (answer.mover === "right") question.begins = "right";
  const board = useAsked("board", question).answer;
  if (!board) return <Picture svg={answer.svg ?? ""} label={answer.position} scale={2} />;
  return (
    <>
      <TouchPicture
        svg={ownBoard(board) ?? board.svg ?? ""}
        label={say("board_of", { position: board.position })}
        moves={board.moves}
        judged={UNJUDGED}
        words={(move) => ofMover(move, board, say)}
        play={(move) => judge(move.write)}
        look={() => {}}
        pointed={null}
        active
      />
      <ul class="moves-to-choose">
        {board.moves.map((move) => (
          <li key={move.write}>
            <button type="button" class="plain" onClick={() => judge(move.write)}>
              {ofMover(move, board, say)}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function Reason({ judged, given }: { judged: PracticeAnswer; given: string }) {
  const { say } = usePage();
  const right = judged.judged === "right";
  return (
    <div class={`judged ${right ? "right" : "wrong"}`}>
      <p class="judgement">
        <span class="judge-sign" aria-hidden="true">
          {right ? "✓" : "✗"}
        </span>{" "}
        <strong>{say(right ? "practice_right" : "practice_wrong")}</strong>{" "}
        <span class="note">{say("practice_given", { answer: given })}</span>
      </p>
      {judged.text && <p>{judged.text}</p>}
      {judged.steps && (
        <ol class="reasons">
          {stages(judged.steps).map((stage) => (
            <li key={stage.number}>
              <StageText stage={stage} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
