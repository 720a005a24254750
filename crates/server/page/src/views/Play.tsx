// A match against the program or between two people.
import { Strip } from "../board/Strip.tsx";
import { moveWords, resultWords, toMoveWords } from "../board/told.ts";
import type { BoardAnswer, Review } from "../engine/answers.ts";
import { outcomeSentence } from "../outcome.ts";
import { Choice } from "../shell/Choice.tsx";
import { Slow } from "../shell/Slow.tsx";
import { useAsked } from "../state/asked.ts";
import { played, usePage, useTable } from "../state/page.ts";
import { opened, stepped } from "../state/state.ts";
import type { View } from "./views.ts";

export const play: View = { id: "play", word: "view_play", layout: "beside", marks: false, Panel };

type Side = "left" | "right";

const other = (side: Side): Side => (side === "left" ? "right" : "left");

function Panel() {
  const { state, change, say } = usePage();
  const { board, thinking } = useTable();
  const answer = board.answer;
  const alone = state.seat !== "both";
  // Some rules determine the first player.
  const fixed = answer !== null && answer.own_moves && !/^left$/i.test(answer.players[0]);
  const side = state.seat === "second" ? other(state.begins) : state.begins;
  const again = () => change((now) => opened(now, now.game));
  return (
    <div class="playing">
      {answer && (
        <p class="verdict-line">
          <strong>{answer.over ? resultWords(answer, state, say) : toMoveWords(answer, state, say)}</strong>
          {thinking && <Slow pending />}
        </p>
      )}
      <p class="note">{say(state.play === "misere" ? "rule_misere" : "rule_normal")}</p>
      <div class="play-settings">
        <Choice
          name="against"
          legend={say("against")}
          said
          value={alone ? "program" : "person"}
          options={[
            { value: "program", label: say("against_program") },
            { value: "person", label: say("against_person") },
          ]}
          choose={(against) => change((now) => ({ ...opened(now, now.game), seat: against === "person" ? "both" : "first" }))}
        />
        {answer?.own_moves && !fixed && (
          <Choice
            name="side"
            legend={say(alone ? "side" : "begins")}
            said
            value={alone ? side : state.begins}
            options={[
              { value: "left", label: say("player_left") },
              { value: "right", label: say("player_right") },
            ]}
            choose={(chosen) =>
              change((now) => ({ ...opened(now, now.game), begins: alone && now.seat === "second" ? other(chosen) : chosen }))
            }
          />
        )}
        {alone && (
          <Choice
            name="begins"
            legend={say("begins")}
            said
            value={state.seat}
            options={[
              { value: "first", label: say("begins_you") },
              { value: "second", label: say("begins_program") },
            ]}
            choose={(seat) =>
              change((now) => ({
                ...opened(now, now.game),
                seat,
                // A change of seats exchanges who begins, so that each player keeps the same side.
                begins: answer?.own_moves && !fixed && seat !== now.seat ? other(now.begins) : now.begins,
              }))
            }
          />
        )}
        {alone && (
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
      <button type="button" class="main" onClick={again}>
        {say("new_game")}
      </button>
      {answer?.over && answer.turn > 0 && <AtTheEnd board={answer} />}
    </div>
  );
}

function AtTheEnd({ board }: { board: BoardAnswer }) {
  const { state, change, say } = usePage();
  const asked = useAsked("review", played(state));
  const review: Review | null = asked.answer;
  const go = (at: number) => change((now) => stepped(now, at));
  return (
    <section class="review">
      <h2>{say("review_heading")}</h2>
      {!review && <Slow pending={asked.pending} />}
      {asked.trouble && asked.trouble.kind !== "offline" && <p class="note">{asked.trouble.message}</p>}
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
                        move: made ? moveWords(made, board, say) : mistake.move,
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
