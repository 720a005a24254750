// Practice: predict the outcome, the value or a move.
import { useEffect, useRef, useState } from "preact/hooks";
import { Picture } from "../board/Picture.tsx";
import { TouchPicture } from "../board/TouchPicture.tsx";
import { nextMoveWords } from "../board/matchWords.ts";
import { pageBoard } from "../editors/pageBoard.ts";
import type { Ask, BoardQuestion, JudgedMove, PracticeAnswer, PracticeQuestion } from "../engine/answers.ts";
import { stages } from "../explanation.ts";
import { allGames, gameTitle, namesIn, useGames } from "../games/list.ts";
import { outcomeSentence } from "../outcome.ts";
import { Choice } from "../shell/Choice.tsx";
import { PendingIndicator } from "../shell/PendingIndicator.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { askOnce, useRequest } from "../state/request.ts";
import { usePage } from "../state/page.ts";
import { openGame } from "../state/state.ts";
import { StageText } from "./StageText.tsx";
import type { View } from "./views.ts";

export const practice: View = { id: "practice", word: "view_practice", layout: "wide", marks: false, Panel };

const FIRST_LEVEL = 3;
const HARDEST = 10;
const ASKS: Ask[] = ["outcome", "value", "move"];

const newSeed = (): number => Math.floor(Math.random() * 2 ** 31);

function Panel() {
  const { state, change, engine, reportOffline, say, announce } = usePage();
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
  const [questionLevel, setQuestionLevel] = useState(FIRST_LEVEL);

  const question: PracticeQuestion = { game, ask, level: questionLevel, seed, play: state.play, lang: state.lang };
  const { answer, trouble, pending } = useRequest("practice", question);

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
    const response = await askOnce(engine, reportOffline, "practice", { ...question, answer: said }, stop.signal);
    if (response === null || "trouble" in response) return;
    const verdict = response.answer.judged;
    setGiven(said);
    if (verdict === "unread") {
      announce(say("practice_unread"));
      setWritten("");
      return;
    }
    const right = verdict === "right";
    setJudged(response.answer);
    setScore((before) => ({ right: before.right + (right ? 1 : 0), of: before.of + 1 }));
    setLevel((before) => Math.max(0, Math.min(HARDEST, before + (right ? 1 : -1))));
    announce(say(right ? "practice_right" : "practice_wrong"));
  };
  const nextQuestion = () => {
    setQuestionLevel(level);
    setSeed(newSeed());
  };
  const setOption = (key: string, value: string) => {
    setSeed(newSeed());
    change((now) => ({ ...now, more: { ...now.more, [key]: value } }));
  };

  return (
    <div class="practice">
      <div class="practice-bar">
        <label class="field">
          <span>{say("practice_game")}</span>
          <select value={game} onChange={(event) => setOption("practise", event.currentTarget.value)}>
            {groups?.groups.map((group) => (
              <optgroup key={group.group} label={group.title}>
                {group.games.map((listed) => (
                  <option key={listed.name} value={listed.name}>
                    {gameTitle(listed, state.lang)}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </label>
        <Choice
          name="ask"
          legend={say("practice_ask")}
          showLegend
          value={ask}
          options={ASKS.map((value) => ({ value, label: say(`practice_ask_${value}`) }))}
          choose={(value) => setOption("ask", value)}
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
      {!answer && !trouble && <PendingIndicator pending={pending} />}
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
                <button type="button" class="main" ref={next} onClick={nextQuestion}>
                  {say("practice_next")}
                </button>
                <button
                  type="button"
                  class="plain"
                  onClick={() => change((now) => ({ ...openGame(now, answer.position), view: "analyse" }), "push")}
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
  const board = useRequest("board", question).answer;
  if (!board) return <Picture svg={answer.svg ?? ""} label={answer.position} scale={2} />;
  return (
    <>
      <TouchPicture
        svg={pageBoard(board) ?? board.svg ?? ""}
        label={say("board_of", { position: board.position })}
        moves={board.moves}
        judged={UNJUDGED}
        words={(move) => nextMoveWords(move, board, say)}
        play={(move) => judge(move.write)}
        hover={() => {}}
        highlighted={null}
        active
      />
      <ul class="moves-to-choose">
        {board.moves.map((move) => (
          <li key={move.write}>
            <button type="button" class="plain" onClick={() => judge(move.write)}>
              {nextMoveWords(move, board, say)}
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
