// The value of an impartial position in misère play: genus, class, canonical form and mate; and the
// comparison with another position.
import type { ComponentChildren } from "preact";
import type { MisereValueAnswer } from "../engine/answers.ts";
import { shellWord } from "../copying/copies.ts";
import { glyph, outcomeSentence, tintOfOutcome } from "../outcome.ts";
import { Choice } from "../shell/Choice.tsx";
import { PendingIndicator } from "../shell/PendingIndicator.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { type RequestState, useRequest } from "../state/request.ts";
import { usePage } from "../state/page.ts";
import { openGame } from "../state/state.ts";
import { CopyButton } from "../tables/Copying.tsx";
import { Field } from "./Field.tsx";
import { Genus } from "./Genus.tsx";
import { SECONDS, gameOf } from "./question.ts";

const EXAMPLES = ["kayles(5)", "dawsons_kayles(12)", "grundys_game(16)", 'literal("*[*2,*3]")'];
/** The number of characters above which a form is collapsed. */
const LONG = 160;
const CLASSES = ["nim heap", "tame", "reversibly tame", "restive", "restless", "wild"] as const;

export function Misere({ game }: { game: string }) {
  const { state, change, say } = usePage();
  const full = state.more["value.full"] === "yes";
  const rules = state.rules === "" ? {} : { rules: state.rules };
  const question = { game, play: "misere" as const, lang: state.lang, timeout: SECONDS, ...rules };
  const request = useRequest("value", { ...question, ...(full ? { full } : {}) }, { keep: true });
  // In misère play the same request has an answer of another type.
  const { answer, trouble, pending } = request as RequestState<unknown> as RequestState<MisereValueAnswer>;
  return (
    <>
      {trouble && (
        <>
          <Trouble trouble={trouble} />
          <p class="tries">
            {say("tree_try")}{" "}
            {EXAMPLES.map((example) => (
              <button key={example} type="button" class="plain" onClick={() => change((now) => openGame(now, example), "push")}>
                <code>{example}</code>
              </button>
            ))}
          </p>
        </>
      )}
      <PendingIndicator pending={pending} />
      {answer && !trouble && (
        <>
          <MisereFacts answer={answer} />
          <Choice
            name="value-digits"
            legend={say("genus_digits")}
            showLegend
            value={full ? "all" : "few"}
            options={[
              { value: "few", label: say("genus_few") },
              { value: "all", label: say("genus_all") },
            ]}
            choose={(one) =>
              change((now) => {
                const { "value.full": _, ...more } = now.more;
                return { ...now, more: one === "all" ? { ...more, "value.full": "yes" } : more };
              })
            }
          />
          <Copies game={game} answer={answer} full={full} />
          {!pending && <Comparison game={game} />}
        </>
      )}
    </>
  );
}

function MisereFacts({ answer }: { answer: MisereValueAnswer }) {
  const { say } = usePage();
  const kind = CLASSES.find((one) => one === answer.class);
  return (
    <>
      <div class="value-form">
        {answer.genus === undefined ?
          <h2>{say("genus_unknown")}</h2>
        : <h2 aria-label={say("genus_is", { genus: answer.genus })}>
            <span class="value-name">{say("genus")}</span> <Genus text={answer.genus} />
          </h2>
        }
        {answer.outcome !== undefined && (
          <p class="value-outcome">
            <span class={`badge tint-${tintOfOutcome(answer.outcome)}`} aria-hidden="true">
              {glyph(answer.outcome)}
            </span>
            {outcomeSentence(answer.outcome, false, say)}
          </p>
        )}
        {kind && (
          <p>
            <strong>{say(`class_${kind.replace(" ", "_") as "nim_heap" | "reversibly_tame"}`)}</strong>{" "}
            {say(`class_${kind.replace(" ", "_") as "nim_heap" | "reversibly_tame"}_means`)}
          </p>
        )}
        {answer.stopped && <p class="note">{say("value_withheld", { why: answer.stopped.message })}</p>}
      </div>
      <dl class="facts misere-facts">
        <Fact name={say("misere_form")}>{answer.form !== undefined && <Form text={answer.form} />}</Fact>
        <Fact name={say("misere_mate")}>{answer.mate !== undefined && <Form text={answer.mate} />}</Fact>
        <Fact name={say("value_birthday")}>{answer.birthday}</Fact>
        <Fact name={say("status")}>
          <span class={`status ${answer.status}`}>{say(`status_${answer.status}`)}</span>
        </Fact>
      </dl>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  if (children === undefined || children === false) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A form as an argument of `literal`; a long one is collapsed. */
function Form({ text }: { text: string | null }) {
  const { state, say } = usePage();
  if (text === null) return <>{say("misere_form_long")}</>;
  if (text.length <= LONG) return <code class="value-text">{text}</code>;
  return (
    <details class="data">
      <summary>{say("misere_form_folded", { count: text.length.toLocaleString(state.lang) })}</summary>
      <code class="value-text">{text}</code>
    </details>
  );
}

function Copies({ game, answer, full }: { game: string; answer: MisereValueAnswer; full: boolean }) {
  const { change, say } = usePage();
  const { genus, form, mate } = answer;
  return (
    <section class="copying">
      <h2>{say("copy_heading")}</h2>
      <div class="copies">
        {genus !== undefined && <CopyButton what={say("genus")} text={() => genus} />}
        {form && <CopyButton what={say("misere_form")} text={() => form} />}
        {mate && <CopyButton what={say("misere_mate")} text={() => mate} />}
        <CopyButton what={say("copy_link")} text={() => location.href} />
        <CopyButton what={say("copy_command")} text={() => `grundy value --misere${full ? " --full" : ""} ${shellWord(game)}`} />
        <CopyButton what="Python" text={() => `grundy.value(${JSON.stringify(game)}, play="misere"${full ? ", full=True" : ""})`} />
        {form && form.length <= LONG && (
          <button type="button" class="plain" onClick={() => change((now) => openGame(now, `literal(${JSON.stringify(form)})`), "push")}>
            {say("misere_form_open")}
          </button>
        )}
      </div>
    </section>
  );
}

/** The comparison with a second game, and a game that distinguishes them. */
function Comparison({ game }: { game: string }) {
  const { state, change, say } = usePage();
  const text = state.more["value.with"] ?? "";
  const rules = state.rules === "" ? {} : { rules: state.rules };
  const keys = { play: "misere" as const, lang: state.lang, timeout: SECONDS, ...rules };
  const { answer, trouble, pending } = useRequest("compare", text === "" ? null : { ...keys, game, with: gameOf(text) });
  const witness = answer?.witness;
  return (
    <section class="value-part">
      <h2>{say("value_compare")}</h2>
      <Field label={say("misere_compare_with")} text={text} change={(other) => change((now) => ({ ...now, more: { ...now.more, "value.with": other } }))} />
      {trouble && <Trouble trouble={trouble} />}
      <PendingIndicator pending={pending} />
      {answer && (
        <div class="value-compared">
          <p class="scrolled" tabIndex={0}>
            <code>{answer.games[0]}</code> <strong class="relation">{answer.relation === "=" ? "=" : "≠"}</strong> <code>{answer.games[1]}</code>
          </p>
          <p>{say(answer.relation === "=" ? "misere_equal" : witness ? "misere_differ" : "misere_differ_long")}</p>
          {witness && (
            <ul class="witnessed">
              {answer.games.map((one) => (
                <SumOutcome key={one} game={`${one} + ${witness}`} />
              ))}
            </ul>
          )}
        </div>
      )}
    </section>
  );
}

/** The outcome of a sum in misère play. */
function SumOutcome({ game }: { game: string }) {
  const { state, change, say } = usePage();
  const rules = state.rules === "" ? {} : { rules: state.rules };
  const { answer } = useRequest("solve", { game, play: "misere", lang: state.lang, timeout: SECONDS, outcome: true, ...rules });
  return (
    <li>
      <span class={`badge tint-${tintOfOutcome(answer?.outcome)}`}>{glyph(answer?.outcome)}</span>
      <code>{game}</code>
      <button type="button" class="plain" onClick={() => change((now) => openGame(now, game), "push")}>
        {say("practice_open")}
      </button>
    </li>
  );
}
