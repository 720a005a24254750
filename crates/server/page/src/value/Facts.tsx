// The invariants of a value: canonical form, outcome, and a list of the others.
import type { ValueAnswer } from "../engine/answers.ts";
import { glyph, outcomeSentence, tintOfOutcome } from "../outcome.ts";
import { usePage } from "../state/page.ts";
import { Typeset } from "./Typeset.tsx";

/** The canonical form, or the reason why it is missing. */
export function Form({ answer, level }: { answer: ValueAnswer; level: 2 | 3 | 4 }) {
  const { say } = usePage();
  const Heading = `h${level}` as "h2" | "h3" | "h4";
  return (
    <div class="value-form">
      {answer.value === undefined ?
        <Heading>{say("value_unknown")}</Heading>
      : <Heading aria-label={say("value_is", { value: answer.value })}>
          <Typeset text={answer.value} />
        </Heading>
      }
      <p class="value-outcome">
        <span class={`badge tint-${tintOfOutcome(answer.outcome)}`} aria-hidden="true">
          {glyph(answer.outcome)}
        </span>
        {outcomeSentence(answer.outcome, true, say)}
      </p>
      {answer.stopped && <p class="note">{say("value_withheld", { why: answer.stopped.message })}</p>}
    </div>
  );
}

/** The labels of quantities that may be left out. */
const LABELS = {
  atomic_weight: "value_atomic_weight",
  uptimal: "value_uptimal",
  reduced: "value_reduced",
  incentives: "value_incentives",
  thermograph: "value_walls",
} as const;

/** The list of invariants; `short` omits the less common ones. */
export function Facts({ answer, short = false }: { answer: ValueAnswer; short?: boolean }) {
  const { say } = usePage();
  const incentives = (side: "left" | "right") => answer.incentives?.[side];
  // Other quantities are left out only at a limit, which the form reports.
  const leftOut = (answer.left_out ?? []).filter((name): name is keyof typeof LABELS => name in LABELS);
  const rows: [string, string[] | undefined][] = [
    [say("value_stops"), [answer.left_stop, answer.right_stop]],
    [say("value_mean"), [answer.mean]],
    [say("value_temperature"), [answer.temperature]],
    [say("value_number_part"), answer.number_part === null ? undefined : [answer.number_part]],
    [say("value_atomic_weight"), typeof answer.atomic_weight === "string" ? [answer.atomic_weight] : undefined],
    [say("value_reduced"), answer.reduced === undefined ? undefined : [answer.reduced]],
    ...(short ?
      []
    : ([
        [say("value_birthday"), answer.birthday === undefined ? undefined : [String(answer.birthday)]],
        [say("value_left_incentives"), incentives("left")],
        [say("value_right_incentives"), incentives("right")],
      ] satisfies [string, string[] | undefined][])),
  ];
  return (
    <dl class="facts">
      {rows.map(([name, values]) =>
        values === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{values.length === 0 ? say("value_none") : <ValueList values={values} />}</dd>
          </div>
        ),
      )}
      {answer.uptimal !== undefined && !short && (
        <div>
          <dt>{say("value_uptimal")}</dt>
          <dd>
            <code>{answer.uptimal}</code>
          </dd>
        </div>
      )}
      {leftOut.length > 0 && !short && (
        <div>
          <dt>{say("value_left_out")}</dt>
          <dd>{leftOut.map((name) => say(LABELS[name])).join(", ")}</dd>
        </div>
      )}
      <div>
        <dt>{say("status")}</dt>
        <dd>
          <span class={`status ${answer.status}`}>{say(`status_${answer.status}`)}</span>
        </dd>
      </div>
    </dl>
  );
}

function ValueList({ values }: { values: string[] }) {
  return (
    <ul class="value-list">
      {values.map((value) => (
        <li key={value}>
          <Typeset text={value} />
        </li>
      ))}
    </ul>
  );
}
