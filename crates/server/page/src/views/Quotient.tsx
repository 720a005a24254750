// The misère quotient of a family of heaps or of several positions: its elements, their outcomes
// and a certificate.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Picture } from "../board/Picture.tsx";
import { saveFile } from "../copying/clipboard.ts";
import { shellWord } from "../copying/copies.ts";
import { Stepper } from "../editors/Stepper.tsx";
import type { QuotientAnswer } from "../engine/answers.ts";
import { CERTIFICATE, Certificate } from "../period/Certificate.tsx";
import { type Job, quotients } from "../period/jobs.ts";
import { Element, Elements } from "../quotient/Element.tsx";
import { PretendingFunction } from "../quotient/PretendingFunction.tsx";
import { PendingIndicator } from "../shell/PendingIndicator.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { usePage } from "../state/page.ts";
import { CopyButton } from "../tables/Copying.tsx";
import { useFamily } from "../tables/chosenFamily.ts";
import { FamilyField } from "../tables/FamilyField.tsx";
import type { View } from "./views.ts";

export const quotient: View = { id: "quotient", word: "view_quotient", layout: "wide", marks: false, Panel };

const EXAMPLES = ["kayles(n)", "take_and_break('0.75', n)", "take_and_break('0.123', n)", "dawsons_kayles(n)", "subtraction([2, 3, 7], n)", "[chomp(3, 2), kayles(7)]"];
const SVG = "quotient.svg";
/** The default maximum heap size and time limit in seconds. */
const [HEAPS, SECONDS] = [1000, 10];
const [MOST_HEAPS, MOST_SECONDS] = [1_000_000, 600];
const LONGER = 6;

function Panel() {
  const { state, engine, connection, reportOffline, say, announce } = usePage();
  const job = quotients.useJob();
  const { family, readKey, storeKeys } = useFamily("quotient", 1);
  const max = Number(readKey("max")) || HEAPS;
  const seconds = Number(readKey("seconds")) || SECONDS;
  const rules = state.rules === "" ? {} : { rules: state.rules };
  const question: Job<"quotient">["question"] = { game: family, lang: state.lang, max, timeout: seconds, certificate: CERTIFICATE, svg: SVG, ...rules };
  const key = JSON.stringify(question);
  const same = job !== null && JSON.stringify(job.question) === key;
  const start = () => {
    announce(say("computing"));
    quotients.start({
      engine,
      question,
      // Quotients of some families, such as those of rule files, have no certificate. The request
      // is then repeated without one.
      fallback: (trouble) => {
        if (trouble.kind !== "range") return null;
        const { certificate: _, ...without } = question;
        return without;
      },
      onEnd: (done) => {
        if (done.trouble?.kind === "offline") reportOffline();
        announce(done.answer ? sentenceOf(done.answer, say) : (done.trouble?.message ?? ""));
      },
    });
  };
  // A finished or cancelled computation is not repeated when the reader returns to the view.
  useEffect(() => {
    if (family !== "" && (!same || job.trouble?.kind === "offline")) start();
  }, [key, engine, connection]);
  const stepper = (name: "max" | "seconds", value: number, initial: number, least: number, most: number) => (
    <div class="field">
      <span>{say(`quotient_${name}`)}</span>
      <Stepper label={say(`quotient_${name}`)} value={value} least={least} most={most} change={(next) => storeKeys({ [name]: next === initial ? "" : String(next) })} />
    </div>
  );
  return (
    <div class="period-view quotient-view">
      <p class="telling">{say("quotient_about")}</p>
      <div class="question-bar">
        <FamilyField value={family} examples={EXAMPLES} label={say("quotient_family")} change={(text) => storeKeys({ family: text })} />
        {stepper("max", max, HEAPS, 1, MOST_HEAPS)}
        {stepper("seconds", seconds, SECONDS, 1, MOST_SECONDS)}
        {same && job.running && (
          <button type="button" class="plain" onClick={() => (quotients.cancel(), announce(say("period_cancelled")))}>
            {say("period_cancel")}
          </button>
        )}
      </div>
      {same && job.running && <RunningJob job={job} />}
      {same && job.cancelled && (
        <p>
          {say("period_cancelled")}{" "}
          <button type="button" class="plain" onClick={start}>
            {say("quotient_again")}
          </button>
        </p>
      )}
      {same && job.trouble && (
        <>
          <Trouble trouble={job.trouble} />
          <p class="tries">
            {say("tree_try")}{" "}
            {EXAMPLES.map((example) => (
              <button key={example} type="button" class="plain" onClick={() => storeKeys({ family: example })}>
                <code>{example}</code>
              </button>
            ))}
          </p>
        </>
      )}
      {same && job.answer && <QuotientFound answer={job.answer} max={max} seconds={seconds} longer={() => storeKeys({ seconds: String(Math.min(seconds * LONGER, MOST_SECONDS)) })} />}
    </div>
  );
}

type Say = ReturnType<typeof usePage>["say"];

const sentenceOf = (answer: QuotientAnswer, say: Say): string =>
  answer.status === "proved" ?
    say("quotient_found", { family: answer.family, order: answer.order })
  : say("quotient_found_so_far", { family: answer.family, order: answer.order, checked: answer.checked_to ?? answer.elements.length });

function RunningJob({ job }: { job: Job<"quotient"> }) {
  const { state, say } = usePage();
  const { done, text } = job.progress ?? {};
  return (
    <div class="progress">
      <p>
        <code>{job.question.game}</code> <PendingIndicator pending />
      </p>
      <progress aria-label={say("period_progress")} />
      <p class="note">{done === undefined ? "\u00a0" : [say("quotient_done", { done: done.toLocaleString(state.lang) }), text].filter(Boolean).join(" · ")}</p>
    </div>
  );
}

function QuotientFound({ answer, max, seconds, longer }: { answer: QuotientAnswer; max: number; seconds: number; longer(): void }) {
  const { state, say } = usePage();
  const count = (value: number) => value.toLocaleString(state.lang);
  const svg = answer.files?.[SVG];
  const relations = answer.presentation.slice(answer.presentation.indexOf("|") + 1, -1).split(",");
  const file = `${answer.family.replace(/\W+/g, "-").replace(/^-|-$/g, "")}.svg`;
  const most = max === HEAPS ? "" : ` --max ${max}`;
  const stopped = answer.status === "partial" && answer.elements.length < max;
  return (
    <>
      <section class="found">
        <h2>{sentenceOf(answer, say)}</h2>
        <p>
          <span class={`status ${answer.status}`}>{say(`status_${answer.status}`)}</span> {say(`quotient_${answer.status}`, { transitions: count(answer.transitions) })}
        </p>
        {stopped && (
          <p>
            {say("quotient_stopped", { seconds })}{" "}
            {seconds < MOST_SECONDS && (
              <button type="button" class="plain" onClick={longer}>
                {say("quotient_longer", { seconds: Math.min(seconds * LONGER, MOST_SECONDS) })}
              </button>
            )}
          </p>
        )}
        <dl class="facts quotient-facts">
          <Fact name={say("quotient_order")}>{count(answer.order)}</Fact>
          {answer.name !== null && (
            <Fact name={say("quotient_name")}>
              <QuotientName name={answer.name} /> {answer.tame && say("quotient_tame")}
            </Fact>
          )}
          <Fact name={say("quotient_losing", { count: count(answer.p_order) })}>
            <Elements names={answer.p} />
          </Fact>
          <Fact name={say("quotient_generators")}>
            <ul class="elements">
              {answer.generators.map((of, at) => (
                <li key={at}>
                  <Element name={letter(at)} /> = {typeof of === "string" ? <code>{of}</code> : `Φ(${of})`}
                </li>
              ))}
            </ul>
          </Fact>
          {relations.some((relation) => relation.trim() !== "") && (
            <Fact name={say("quotient_relations")}>
              <Elements names={relations} />
            </Fact>
          )}
          <Fact name={say("quotient_idempotents")}>
            <Elements names={answer.idempotents} />
          </Fact>
          <Fact name={say("quotient_kernel")}>
            <Elements names={answer.kernel} />
          </Fact>
        </dl>
      </section>
      <PretendingFunction answer={answer} />
      {svg && (
        <section class="shown found">
          <h2>{say("quotient_layers")}</h2>
          <Picture svg={svg} label={say("quotient_picture", { family: answer.family })} scale={1} least={0.85} />
          <p class="note">{say("quotient_layers_about")}</p>
        </section>
      )}
      <section class="copying">
        <h2>{say("copy_heading")}</h2>
        <div class="copies">
          <CopyButton what={say("quotient_presentation")} text={() => answer.presentation} />
          <CopyButton what="CSV" text={() => ["n,element", ...answer.elements.map((element, at) => `${at + 1},${element}`)].join("\n") + "\n"} />
          {svg && <CopyButton what="SVG" text={() => svg} />}
          {svg && (
            <button type="button" class="plain" onClick={() => saveFile(file, new Blob([svg], { type: "image/svg+xml" }))}>
              {say("quotient_save")}
            </button>
          )}
          <CopyButton what={say("copy_link")} text={() => location.href} />
          <CopyButton what={say("copy_command")} text={() => `grundy quotient ${shellWord(answer.family)}${most}`} />
          <CopyButton what="Python" text={() => `grundy.quotient(${JSON.stringify(answer.family)}${max === HEAPS ? "" : `, max=${max}`})`} />
        </div>
      </section>
      {answer.files?.[CERTIFICATE] === undefined ?
        <p class="note">{say("quotient_no_certificate")}</p>
      : <Certificate text={answer.files[CERTIFICATE]} family={answer.family} />}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The name of a known quotient, such as R_8. */
function QuotientName({ name }: { name: string }) {
  const [base = name, number] = name.split("_");
  return number === undefined ? <>{name}</> : (
    <math class="typeset" data-value={name}>
      <msub>
        <mi>{base}</mi>
        <mn>{number}</mn>
      </msub>
    </math>
  );
}

/** Returns the name of a generator. */
const letter = (at: number) => String.fromCharCode(97 + (at % 26)) + (at < 26 ? "" : String(Math.floor(at / 26)));
