// A match against the program or between two people.
import { Strip } from "../board/Strip.tsx";
import { pastMoveWords, resultWords, toMoveWords } from "../board/matchWords.ts";
import type { BoardAnswer, Review } from "../engine/answers.ts";
import { outcomeSentence } from "../outcome.ts";
import { Choice } from "../shell/Choice.tsx";
import { PendingIndicator } from "../shell/PendingIndicator.tsx";
import { useRequest } from "../state/request.ts";
import { matchKeys, usePage, useMatch } from "../state/page.ts";
import { openGame, goToMove } from "../state/state.ts";
import type { View } from "./views.ts";

export const play: View = { id: "play", word: "view_play", layout: "beside", marks: false, Panel };

type Side = "left" | "right";

const otherSide = (side: Side): Side => (side === "left" ? "right" : "left");

function Panel() {
  const { state, change, say } = usePage();
  const { board, thinking } = useMatch();
  const answer = board.answer;
  const againstProgram = state.seat !== "both";
  // Some rules determine the first player.
  const fixed = answer !== null && answer.own_moves && !/^left$/i.test(answer.players[0]);
  const side = state.seat === "second" ? otherSide(state.begins) : state.begins;
  const restart = () => change((now) => openGame(now, now.game));
  return (
    <div class="playing">
      {answer && (
        <p class="verdict-line">
          <strong>{answer.over ? resultWords(answer, state, say) : toMoveWords(answer, state, say)}</strong>
          {thinking && <PendingIndicator pending />}
        </p>
      )}
      <p class="note">{say(state.play === "misere" ? "rule_misere" : "rule_normal")}</p>
      <div class="play-settings">
        <Choice
          name="against"
          legend={say("against")}
          showLegend
          value={againstProgram ? "program" : "person"}
          options={[
            { value: "program", label: say("against_program") },
            { value: "person", label: say("against_person") },
          ]}
          choose={(against) => change((now) => ({ ...openGame(now, now.game), seat: against === "person" ? "both" : "first" }))}
        />
        {answer?.own_moves && !fixed && (
          <Choice
            name="side"
            legend={say(againstProgram ? "side" : "begins")}
            showLegend
            value={againstProgram ? side : state.begins}
            options={[
              { value: "left", label: say("player_left") },
              { value: "right", label: say("player_right") },
            ]}
            choose={(chosen) =>
              change((now) => ({ ...openGame(now, now.game), begins: againstProgram && now.seat === "second" ? otherSide(chosen) : chosen }))
            }
          />
        )}
        {againstProgram && (
          <Choice
            name="begins"
            legend={say("begins")}
            showLegend
            value={state.seat}
            options={[
              { value: "first", label: say("begins_you") },
              { value: "second", label: say("begins_program") },
            ]}
            choose={(seat) =>
              change((now) => ({
                ...openGame(now, now.game),
                seat,
                // A change of seats exchanges who begins, so that each player keeps the same side.
                begins: answer?.own_moves && !fixed && seat !== now.seat ? otherSide(now.begins) : now.begins,
              }))
            }
          />
        )}
        {againstProgram && (
          <label class="level">
            <span>{say("level")}</span>
            <span class="level-row">
              <input
                type="range"
                min={0}
                max={10}
                value={state.level}
                aria-valuetext={say("level_of", { level: state.level })}
                onInput={(event) => {
                  const level = Number(event.currentTarget.value);
                  change((now) => ({ ...now, level }));
                }}
              />
              <output>{state.level}</output>
            </span>
            <span class="level-ends" aria-hidden="true">
              <span>{say("level_careless")}</span>
              <span>{say("level_perfect")}</span>
            </span>
          </label>
        )}
      </div>
      <button type="button" class="main" onClick={restart}>
        {say("new_game")}
      </button>
      {answer?.over && answer.turn > 0 && <MatchReview board={answer} />}
    </div>
  );
}

function MatchReview({ board }: { board: BoardAnswer }) {
  const { state, change, say } = usePage();
  const request = useRequest("review", matchKeys(state));
  const review: Review | null = request.answer;
  const go = (at: number) => change((now) => goToMove(now, at));
  return (
    <section class="review">
      <h2>{say("review_heading")}</h2>
      {!review && <PendingIndicator pending={request.pending} />}
      {request.trouble && request.trouble.kind !== "offline" && <p class="note">{request.trouble.message}</p>}
      {review && (
        <>
          <Strip review={review} go={go} now={state.at} />
          <p class="note">{say("review_start", { outcome: outcomeSentence(review.strip[0]?.outcome, board.own_moves, say) })}</p>
          {review.mistakes.length === 0 ?
            <p>{say("review_none")}</p>
          : <ul class="mistakes">
              {review.mistakes.map((mistake) => {
                const made = board.made[mistake.turn - 1];
                return (
                  <li key={mistake.turn}>
                    <p>
                      {say("review_mistake", {
                        turn: mistake.turn,
                        move: made ? pastMoveWords(made, board, say) : mistake.move,
                        from: say(`worth_${mistake.from}`),
                        to: say(`worth_${mistake.to}`),
                      })}
                    </p>
                    <button type="button" class="plain" onClick={() => go(mistake.turn - 1)}>
                      {say("review_back")}
                    </button>
                  </li>
                );
              })}
            </ul>
          }
        </>
      )}
    </section>
  );
}
