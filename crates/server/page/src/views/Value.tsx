// The value of a position. In normal play it has the canonical form, the invariants, the options,
// operators and comparisons. In misère play it has the genus. The view also shows values of many
// games.
import { Picture } from "../board/Picture.tsx";
import type { Relation, ValueAnswer } from "../engine/answers.ts";
import { Choice } from "../shell/Choice.tsx";
import { PendingIndicator } from "../shell/PendingIndicator.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { useRequest } from "../state/request.ts";
import { usePage, useMatch } from "../state/page.ts";
import { openGame } from "../state/state.ts";
import { CopyButton } from "../tables/Copying.tsx";
import { Facts, Form } from "../value/Facts.tsx";
import { Field } from "../value/Field.tsx";
import { ManyGames } from "../value/ManyGames.tsx";
import { Misere } from "../value/Misere.tsx";
import { Options } from "../value/Options.tsx";
import { CHANGES, type Change, operatorKeys, changeOf, gameOf, inSixteenths, sixteenths, valueCommand, valueOf, valuePython } from "../value/question.ts";
import { asNumber } from "../value/parseValue.ts";
import type { View } from "./views.ts";

export const value: View = { id: "value", word: "view_value", layout: "beside", reading: true, marks: false, Panel };

const SVG = "thermograph.svg";
const EXAMPLES = ["domineering(board(2, 3))", 'literal("{4||1|0}")', 'toads_and_frogs("TT.FF")', 'clobber(["xo", "ox"])'];

function Panel() {
  const { state } = usePage();
  const { board, fresh } = useMatch();
  const game = board.answer?.position;
  if (state.play === "normal") return <NormalValue />;
  return <div class="value-view">{fresh && game !== undefined && <Misere game={game} />}</div>;
}

function NormalValue() {
  const { state, change, say } = usePage();
  const { board, fresh } = useMatch();
  const game = board.answer?.position;
  const { answer, trouble, pending } = useRequest("value", fresh && game !== undefined ? valueOf(state, game, { svg: SVG }) : null, { keep: true });
  if (game === undefined) return null;
  // While the next answer is pending, the old one is shown without the parts that depend on the
  // next position.
  const settled = fresh && !pending && answer !== null && trouble === null;
  return (
    <div class="value-view">
      {trouble && (
        <>
          <Trouble trouble={trouble} />
          <p>
            {say("tree_try")}{" "}
            {EXAMPLES.map((example) => (
              <button key={example} type="button" class="plain" onClick={() => change((now) => openGame(now, example, "normal"), "push")}>
                <code>{example}</code>
              </button>
            ))}
          </p>
        </>
      )}
      <PendingIndicator pending={pending} />
      {answer && !trouble && (
        <>
          <Form answer={answer} level={2} />
          <Facts answer={answer} />
          <Thermograph answer={answer} />
          <Copies game={game} answer={answer} />
        </>
      )}
      {settled && (
        <>
          <section class="value-part">
            <h2>{say("value_options")}</h2>
            <Options game={game} />
          </section>
          <OperatorResult game={game} temperature={answer.temperature} />
          <Comparison game={game} />
        </>
      )}
      <ManyGames />
    </div>
  );
}

function Thermograph({ answer }: { answer: ValueAnswer }) {
  const { say } = usePage();
  const svg = answer.files?.[SVG];
  if (svg === undefined) return null;
  return (
    <div class="thermograph">
      <Picture svg={svg} label={say("value_thermograph", { mean: answer.mean, temperature: answer.temperature })} scale={1} least={0.6} />
    </div>
  );
}

function Copies({ game, answer }: { game: string; answer: ValueAnswer }) {
  const { state, say } = usePage();
  const made = changeOf(state);
  const [text, latex, svg] = [answer.value, answer.latex, answer.files?.[SVG]];
  return (
    <section class="copying">
      <h2>{say("copy_heading")}</h2>
      <div class="copies">
        {text !== undefined && <CopyButton what={say("value_copy")} text={() => text} />}
        {latex !== undefined && <CopyButton what="LaTeX" text={() => latex} />}
        <CopyButton what={say("copy_link")} text={() => location.href} />
        <CopyButton what={say("copy_command")} text={() => valueCommand(game, made)} />
        <CopyButton what="Python" text={() => valuePython(game, made)} />
        {svg !== undefined && <CopyButton what="SVG" text={() => svg} />}
      </div>
    </section>
  );
}

/** The value after an operator: cooled, frozen, heated. */
function OperatorResult({ game, temperature }: { game: string; temperature: string }) {
  const { state, change, say } = usePage();
  const made = changeOf(state);
  const question = made === null || (made.change !== "freeze" && made.by === "") ? null : valueOf(state, game, { ...operatorKeys(made), svg: SVG });
  const { answer, trouble, pending } = useRequest("value", question, { keep: true });
  const put = (chosen: Change | "none", by?: string) =>
    change((now) => {
      const { "value.change": _, "value.by": __, ...more } = now.more;
      return { ...now, more: { ...more, ...(chosen === "none" ? {} : { "value.change": chosen }), ...(by === undefined ? {} : { "value.by": by }) } };
    });
  // The range of the slider ends slightly above the temperature, where only the mean is left.
  const most = (Math.max(Math.ceil(asNumber(temperature)), 0) + 1) * 16;
  return (
    <section class="value-part">
      <h2>{say("value_change")}</h2>
      <Choice<Change | "none">
        name="value-change"
        legend={say("value_change")}
        value={made?.change ?? "none"}
        options={(["none", ...CHANGES] as const).map((one) => ({ value: one, label: say(one === "none" ? "value_as_it_is" : `value_${one}`) }))}
        choose={(one) => put(one)}
      />
      {made !== null && made.change !== "freeze" && (
        <div class="value-by">
          <Field key={made.change} label={say(`value_${made.change}_by`)} text={made.by} change={(by) => put(made.change, by)} />
          {made.change === "cool" && (
            <input
              type="range"
              min={0}
              max={most}
              value={inSixteenths(made.by) ?? 0}
              aria-label={say("value_cool_by")}
              aria-valuetext={made.by}
              onInput={(event) => put("cool", sixteenths(Number(event.currentTarget.value)))}
            />
          )}
        </div>
      )}
      {trouble && <Trouble trouble={trouble} />}
      <PendingIndicator pending={pending} />
      {made !== null && answer && !trouble && (
        <div class="value-opened value-changed">
          <Form answer={answer} level={3} />
          <Facts answer={answer} short />
          <Thermograph answer={answer} />
        </div>
      )}
    </section>
  );
}

const SIGNS: Record<Relation, string> = { "=": "=", "<": "<", ">": ">", "||": "∥" };
const RELATION_WORDS = { "=": "value_equal", "<": "value_less", ">": "value_greater", "||": "value_confused" } as const;

/** The comparison with a second game. */
function Comparison({ game }: { game: string }) {
  const { state, change, say } = usePage();
  const text = state.more["value.with"] ?? "";
  const question = text === "" ? null : { game, with: gameOf(text), lang: state.lang, timeout: 20, ...(state.rules === "" ? {} : { rules: state.rules }) };
  const { answer, trouble, pending } = useRequest("compare", question);
  const relation = answer?.relation === "!=" ? undefined : answer?.relation;
  return (
    <section class="value-part">
      <h2>{say("value_compare")}</h2>
      <Field label={say("value_compare_with")} text={text} change={(other) => change((now) => ({ ...now, more: { ...now.more, "value.with": other } }))} />
      {trouble && <Trouble trouble={trouble} />}
      <PendingIndicator pending={pending} />
      {answer && relation !== undefined && (
        <div class="value-compared">
          <p class="scrolled" tabIndex={0}>
            <code>{answer.games[0]}</code> <strong class="relation">{SIGNS[relation]}</strong> <code>{answer.games[1]}</code>
          </p>
          <p>{say(RELATION_WORDS[relation])}</p>
        </div>
      )}
    </section>
  );
}
