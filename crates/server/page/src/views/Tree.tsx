// The game tree of a small game: its picture, counts, alpha-beta pruning step by step, and
// strategies.
import { useState } from "preact/hooks";
import { Picture } from "../board/Picture.tsx";
import type { BoardQuestion, TreeAnswer } from "../engine/answers.ts";
import { Choice } from "../shell/Choice.tsx";
import { PendingIndicator } from "../shell/PendingIndicator.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { useRequest } from "../state/request.ts";
import { commonKeys, matchKeys, usePage } from "../state/page.ts";
import { openGame } from "../state/state.ts";
import { CopyButton } from "../tables/Copying.tsx";
import { counted } from "../tree/counts.ts";
import type { Say } from "../words.ts";
import type { View } from "./views.ts";

export const tree: View = { id: "tree", word: "view_tree", layout: "wide", marks: false, Panel };

/** The maximum number of decisions listed. */
const MAX_LISTED = 60;
const SECONDS = 20;

/** Returns the text for a player or a result. */
const called = (name: string, say: Say): string => (name === "first" || name === "second" ? say(`player_${name}`) : name === "Left" || name === "Right" ? say(name === "Left" ? "player_left" : "player_right") : name);

const result = (value: string, say: Say): string =>
  value === "tie" ? say("result_tie")
  : value === "first" || value === "second" ? say(`result_${value}`)
  : value === "Left" ? say("result_left")
  : value === "Right" ? say("result_right")
  : say("result_named", { player: value });

function Panel() {
  const { state, change, say } = usePage();
  const moved = state.at > 0;
  const start = useRequest("board", moved ? (matchKeys(state) as BoardQuestion) : null);
  const game = moved ? start.answer?.position : state.game;
  const merge = state.more["tree.merge"] === "yes";
  const question = game === undefined ? null : { ...commonKeys(state), game, timeout: SECONDS, svg: "tree.svg", alpha_beta: true, ...(merge ? { merge } : {}) };
  const { answer, trouble, pending } = useRequest("tree", question);
  const svg = answer?.files?.["tree.svg"];
  const again = (example: string) => change((now) => openGame(now, example, "normal"), "push");
  return (
    <div class="tree-view">
      {trouble && <Trouble trouble={trouble} />}
      {trouble && <p class="telling">{say("tree_small")}</p>}
      <PendingIndicator pending={pending} />
      {(trouble || (answer && answer.alpha_beta?.cut_offs === 0)) && (
        <p>
          {say("tree_try")}{" "}
          {["tic_toe()", "nim(1, 2)", "tic_tac_toe()"].map((example) => (
            <button key={example} type="button" class="plain" onClick={() => again(example)}>
              <code>{example}</code>
            </button>
          ))}
        </p>
      )}
      {answer && (
        <>
          <div class="tree-top">
            <section class="found">
              <h2>{result(answer.value, say)}</h2>
              <p class="note">{say("tree_value")}</p>
              <Counts answer={answer} />
            </section>
            <Replay answer={answer} />
          </div>
          <section class="tree-picture">
            <div class="explain-bar">
              <h2>{say("tree_picture")}</h2>
              <Choice
                name="merge"
                legend={say("tree_equal")}
                value={merge ? "yes" : "no"}
                options={[
                  { value: "no", label: say("tree_apart") },
                  { value: "yes", label: say("tree_once") },
                ]}
                choose={(value) => change((now) => ({ ...now, more: { ...now.more, "tree.merge": value === "yes" ? "yes" : "" } }))}
              />
              {svg && <CopyButton what="SVG" text={() => svg} />}
            </div>
            {!merge && (answer.alpha_beta?.cut_offs ?? 0) > 0 && <p class="note">{say("tree_dashed")}</p>}
            {svg && (
              <div class="shown">
                <Picture svg={svg} label={say("tree_of", { position: answer.game })} scale={1.25} least={0.9} />
              </div>
            )}
          </section>
          <Strategies key={answer.game} game={answer.game} />
        </>
      )}
    </div>
  );
}

function Counts({ answer }: { answer: TreeAnswer }) {
  const { state, say } = usePage();
  const number = (value: Parameters<typeof counted>[0]) => counted(value, state.lang, say("tree_unknown"));
  const both = (values: Record<string, number | bigint | string | null> | undefined) => (values ? answer.players.map((player) => `${called(player, say)} ${number(values[player])}`).join(" · ") : undefined);
  const rows: [string, string | undefined][] = [
    [say("tree_nodes"), number(answer.nodes)],
    [say("tree_positions"), number(answer.positions)],
    [say("tree_symmetry"), number(answer.positions_up_to_symmetry)],
    [say("tree_instances"), number(answer.instances)],
    [say("tree_longest"), number(answer.longest)],
    [say("tree_wins"), [both(answer.wins), answer.wins?.tie ? `${say("worth_tie")} ${number(answer.wins.tie)}` : ""].filter((part) => part).join(" · ")],
    [say("tree_strategies"), both(answer.strategies)],
    [say("tree_winning"), both(answer.winning_strategies)],
    [say("tree_different"), both(answer.strategies_different_in_play)],
  ];
  return (
    <dl class="facts">
      {rows.map(([name, value]) =>
        value ?
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        : null,
      )}
    </dl>
  );
}

/** The cutoffs of alpha-beta pruning, one after another. */
function Replay({ answer }: { answer: TreeAnswer }) {
  const { state, change, say, announce } = usePage();
  const listed = answer.alpha_beta?.listed ?? [];
  const at = Math.min(state.step, Math.max(listed.length - 1, 0));
  const cut = listed[at];
  const board = useRequest("board", cut ? { ...commonKeys(state), game: cut.position, moves: "" } : null, { keep: true });
  const other = cut ? (answer.players.find((player) => player !== cut.player) ?? "") : "";
  const resultName = (value: string) => (value === "tie" ? say("worth_tie") : say("tree_win_for", { player: called(value, say) }));
  const words = (index: number): string => {
    const one = listed[index];
    if (!one) return "";
    return say("tree_cut", { player: called(one.player, say), other: called(other, say), after: one.after, reached: resultName(one.reached), bound: resultName(one.bound), move: one.bound_by_move });
  };
  const go = (step: number) => {
    change((now) => ({ ...now, step }));
    announce(words(step));
  };
  return (
    <section class="replay">
      <h2>{say("tree_alpha_beta")}</h2>
      <p class="telling">{say("tree_looked", { nodes: counted(answer.alpha_beta?.nodes, state.lang, "?"), of: counted(answer.nodes, state.lang, "?"), cuts: answer.alpha_beta?.cut_offs ?? 0 })}</p>
      {cut && (
        <>
          <div class="replay-step">
            <div class="replay-board">{board.answer?.svg && <Picture svg={board.answer.svg} label={cut.position} scale={1.15} />}</div>
            <div>
              {cut.way.length > 0 && (
                <ol class="way" aria-label={say("history")}>
                  {cut.way.map((move, index) => (
                    <li key={index}>{move}</li>
                  ))}
                </ol>
              )}
              <p class="telling">{words(at)}</p>
              <p class="note">{say("tree_left_out", { count: cut.left_out })}</p>
            </div>
          </div>
          <div class="explain-bar">
            <button type="button" class="plain" disabled={at === 0} onClick={() => go(at - 1)}>
              {say("step_back")}
            </button>
            <span class="counter">{say("step_of", { step: at + 1, of: listed.length })}</span>
            <button type="button" class="plain" disabled={at >= listed.length - 1} onClick={() => go(at + 1)}>
              {say("step_forth")}
            </button>
          </div>
        </>
      )}
    </section>
  );
}

/** A strategy of each player that guarantees the value, requested on demand. */
function Strategies({ game }: { game: string }) {
  const { state, say } = usePage();
  const [shown, setShown] = useState(false);
  const { answer, trouble, pending } = useRequest("tree", shown ? { ...commonKeys(state), game, table: true, timeout: SECONDS } : null);
  return (
    <details class="data" onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>{say("tree_best")}</summary>
      {trouble && <Trouble trouble={trouble} />}
      <PendingIndicator pending={pending} />
      <div class="strategy-tables">
        {answer?.players.map((player) => {
          const strategy = answer.table?.[player];
          if (!strategy) return null;
          const words = strategy.guarantees === player ? say("tree_win_for", { player: called(player, say) }) : strategy.guarantees === "tie" ? say("worth_tie") : say("tree_win_for", { player: called(strategy.guarantees, say) });
          return (
            <section key={player}>
              <h3>{say("tree_guarantees", { player: called(player, say), value: words })}</h3>
              <div class="scrolled" tabIndex={0} role="region" aria-label={called(player, say)}>
                <table>
                  <thead>
                    <tr>
                      <th scope="col">{say("tree_after")}</th>
                      <th scope="col">{say("tree_plays")}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {strategy.decisions.slice(0, MAX_LISTED).map((decision, index) => (
                      <tr key={index}>
                        <td>{decision.way.length === 0 ? say("tree_start") : decision.way.join("; ")}</td>
                        <td>{decision.move}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
                {strategy.decisions.length > MAX_LISTED && <p class="note">{say("tree_decisions", { shown: MAX_LISTED, of: strategy.decisions.length })}</p>}
              </div>
            </section>
          );
        })}
      </div>
    </details>
  );
}
