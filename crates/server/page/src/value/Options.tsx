// The options of Left and Right with their values; each can be expanded, recursively.
import { useState } from "preact/hooks";
import type { BoardQuestion, JudgedMove, Move } from "../engine/answers.ts";
import { grundyText } from "../outcome.ts";
import { PendingIndicator } from "../shell/PendingIndicator.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { useRequest } from "../state/request.ts";
import { usePage } from "../state/page.ts";
import { openGame } from "../state/state.ts";
import { Facts, Form } from "./Facts.tsx";
import { SECONDS, valueOf } from "./question.ts";
import { Typeset } from "./Typeset.tsx";

const SHOWN = 12;
/** The URL key of the chain of expanded options. */
const OPEN = "value.open";

type Side = "left" | "right";

interface Sides {
  left: JudgedMove[];
  right: JudgedMove[];
  /** `true` if both players have the same moves. */
  same: boolean;
  complete: boolean;
}

interface SidesState {
  sides: Sides | null;
  pending: boolean;
}

/** Returns one move for each option. */
const options = (moves: JudgedMove[]): JudgedMove[] => [...new Map(moves.map((move) => [move.to ?? move.write, move])).values()];

/** Returns the options of both players; without values if those exceed the time limit. */
function useSides(game: string): SidesState {
  const { state } = usePage();
  const question: BoardQuestion = { game, lang: state.lang, timeout: SECONDS, ...(state.rules === "" ? {} : { rules: state.rules }) };
  const left = useRequest("analyse", question);
  const right = useRequest("analyse", { ...question, begins: "right" });
  const moves = useRequest("board", left.trouble ? question : null);
  const mirrored = useRequest("board", right.trouble ? { ...question, begins: "right" } : null);
  const [one, other]: ({ mover: string; moves: Move[]; complete: boolean } | null)[] = [left.answer ?? moves.answer, right.answer ?? mirrored.answer];
  const pending = left.pending || right.pending || moves.pending || mirrored.pending;
  if (!one || !other) return { sides: null, pending };
  return {
    sides: { left: options(one.moves), right: options(other.moves), same: one.mover === "first" || one.mover === "second", complete: one.complete && other.complete },
    pending,
  };
}

export function Options({ game, depth = 0 }: { game: string; depth?: number }) {
  const { state, change, say } = usePage();
  const { sides, pending } = useSides(game);
  const chain = (state.more[OPEN] ?? "").split("\n").filter((one) => one !== "");
  const every = sides ? [...sides.left, ...sides.right] : [];
  // An expanded option that is no option of this position belongs to another one.
  const open = every.some((move) => move.to === chain[depth]) ? chain[depth] : undefined;
  const toggle = (to: string) => {
    const next = to === open ? chain.slice(0, depth) : [...chain.slice(0, depth), to];
    change((now) => ({ ...now, more: { ...now.more, [OPEN]: next.join("\n") } }));
  };
  if (!sides) return <PendingIndicator pending={pending} />;
  return (
    <>
      <div class="value-sides">
        {sides.same ?
          <Side name={say("value_options")} moves={sides.left} open={open} toggle={toggle} />
        : (["left", "right"] satisfies Side[]).map((side) => <Side key={side} name={say(`value_options_${side}`)} moves={sides[side]} open={open} toggle={toggle} />)}
      </div>
      {!sides.complete && <p class="note">{say("moves_incomplete")}</p>}
      {open !== undefined && <ExpandedOption key={open} game={open} depth={depth} />}
    </>
  );
}

function Side({ name, moves, open, toggle }: { name: string; moves: JudgedMove[]; open: string | undefined; toggle(to: string): void }) {
  const { say } = usePage();
  const [all, setAll] = useState(false);
  return (
    <div role="group" aria-label={name}>
      <h3>{name}</h3>
      {moves.length === 0 && <p class="note">{say("value_none")}</p>}
      <ul class="value-options">
        {(all ? moves : moves.slice(0, SHOWN)).map((move) => (
          <li key={move.to ?? move.write}>
            <button type="button" class="plain" disabled={move.to === undefined} aria-expanded={move.to === open && open !== undefined} onClick={() => move.to !== undefined && toggle(move.to)}>
              <OptionValue move={move} />
              <span class="value-move">{move.move}</span>
            </button>
          </li>
        ))}
      </ul>
      {!all && moves.length > SHOWN && (
        <button type="button" class="plain" onClick={() => setAll(true)}>
          {say("moves_all", { count: moves.length })}
        </button>
      )}
    </div>
  );
}

/** The value of an option, if solving the position yielded it. */
function OptionValue({ move }: { move: JudgedMove }) {
  const leaves = move.leaves;
  const value = leaves?.value ?? (leaves?.grundy === undefined ? undefined : typeof leaves.grundy === "object" ? undefined : nimber(grundyText(leaves.grundy)));
  return value === undefined ? null : <Typeset text={value} narrow />;
}

const nimber = (size: string): string => (size === "0" ? "0" : size === "1" ? "*" : `*${size}`);

function ExpandedOption({ game, depth }: { game: string; depth: number }) {
  const { state, change, say } = usePage();
  const { answer, trouble, pending } = useRequest("value", valueOf(state, game));
  return (
    <section class="value-opened" aria-label={say("value_of", { position: game })}>
      <p>
        <code>{game}</code>
      </p>
      {trouble && <Trouble trouble={trouble} />}
      <PendingIndicator pending={pending} />
      {answer && (
        <>
          <Form answer={answer} level={4} />
          <Facts answer={answer} short />
        </>
      )}
      <button type="button" class="plain" onClick={() => change((now) => ({ ...openGame(now, game), more: { ...now.more, [OPEN]: "" } }), "push")}>
        {say("practice_open")}
      </button>
      <Options game={game} depth={depth + 1} />
    </section>
  );
}
