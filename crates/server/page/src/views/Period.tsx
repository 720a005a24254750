// The period of a family of heaps: a long search with a proof and a certificate.
import { Picture } from "../board/Picture.tsx";
import { Stepper } from "../editors/Stepper.tsx";
import type { PeriodAnswer } from "../engine/answers.ts";
import { CERTIFICATE, Certificate } from "../period/Certificate.tsx";
import { periods } from "../period/jobs.ts";
import { PendingIndicator } from "../shell/PendingIndicator.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { commonKeys, usePage } from "../state/page.ts";
import { useFamily } from "../tables/chosenFamily.ts";
import { FamilyField } from "../tables/FamilyField.tsx";
import { functionsOf, variablesOf } from "../tables/family.ts";
import type { View } from "./views.ts";

export const period: View = { id: "period", word: "view_period", layout: "wide", marks: false, Panel };

const EXAMPLES = ["kayles(n)", "dawsons_chess(n)", "grundys_game(n)", "officers(n)", "treblecross(n)", "take_and_break('0.137', n)", "take_and_break('0.16', n)", "subtraction([2, 3, 7], n)"];
const MOST = 100_000;
/** The files and counts that only a search with a proof can have. */
const PROOF = { certificate: CERTIFICATE, frequencies: true, svg: "period.svg" };

function Panel() {
  const { state, engine, say, announce } = usePage();
  const job = periods.useJob();
  const { family, readKey, storeKeys } = useFamily("period", 1);
  const most = Number(readKey("max") ?? MOST) || MOST;
  const ready = variablesOf(family, functionsOf(state.rules)).length === 1;
  const question = { ...commonKeys(state), game: family, max: most };
  const same = job !== null && job.question.game === family;
  const start = () => {
    announce(say("computing"));
    periods.start({
      engine,
      question: { ...question, ...PROOF },
      // The period of most rule files can only be observed, so the server refuses these options.
      fallback: (trouble) => (trouble.kind === "type" && state.rules !== "" ? question : null),
      onEnd: (job) => announce(job.answer ? sentenceOf(job.answer, say) : (job.trouble?.message ?? "")),
    });
  };
  const { done, of } = job?.progress ?? {};
  return (
    <div class="period-view">
      <div class="question-bar">
        <FamilyField value={family} examples={EXAMPLES} change={(text) => storeKeys({ family: text })} />
        <div class="field">
          <span>{say("period_max")}</span>
          <Stepper label={say("period_max")} value={most} least={100} most={1e9} change={(value) => storeKeys({ max: value === MOST ? "" : String(value) })} />
        </div>
        {job?.running ?
          <button type="button" class="plain" onClick={() => (periods.cancel(), announce(say("period_cancelled")))}>
            {say("period_cancel")}
          </button>
        : <button type="button" class="main" disabled={!ready} onClick={start}>
            {say("period_start")}
          </button>
        }
      </div>
      {!ready && <p class="telling">{say("period_free")}</p>}
      {job?.running && (
        <div class="progress">
          <p>
            <code>{job.question.game}</code> <PendingIndicator pending />
          </p>
          <progress max={of ?? 1} {...(done !== undefined ? { value: done } : {})} aria-label={say("period_progress")} />
          <p class="note">
            {done !== undefined && of !== undefined ? say("period_done", { done: done.toLocaleString(state.lang), of: of.toLocaleString(state.lang) }) : "\u00a0"}
            {job.progress?.text ? ` · ${job.progress.text}` : ""}
          </p>
        </div>
      )}
      {same && job.cancelled && <p>{say("period_cancelled")}</p>}
      {same && job.trouble && <Trouble trouble={job.trouble} />}
      {same && job.answer && <PeriodFound answer={job.answer} />}
      {!job && <p class="telling">{say("period_about")}</p>}
    </div>
  );
}

type Say = ReturnType<typeof usePage>["say"];

function sentenceOf(answer: PeriodAnswer, say: Say): string {
  if (answer.period === undefined) return say("period_none", { count: answer.checked_to ?? 0 });
  const values = { preperiod: answer.preperiod ?? 0, period: answer.period, saltus: answer.saltus ?? 0 };
  return say(answer.saltus ? "period_arithmetic" : "period_found", values);
}

function PeriodFound({ answer }: { answer: PeriodAnswer }) {
  const { state, say } = usePage();
  const svg = answer.files?.["period.svg"];
  const frequent = answer.frequencies ?? [];
  const tallest = Math.max(1, ...frequent.map(([, count]) => count));
  return (
    <>
      <section class="found">
        <h2>{sentenceOf(answer, say)}</h2>
        <p>
          <span class={`status ${answer.status}`}>{say(`status_${answer.status}`)}</span> {answer.theorem_text}
        </p>
        {answer.recognised_as !== undefined && <p>{say("period_same_rules", { family: answer.recognised_as })}</p>}
        <dl class="facts">
          {answer.period !== undefined && (
            <>
              <Fact name={say("period_preperiod")} value={answer.preperiod} />
              <Fact name={say("period_period")} value={answer.period} />
              <Fact name={say("period_saltus")} value={answer.saltus} />
            </>
          )}
          <Fact name={say("period_checked")} value={answer.checked_to} />
          <Fact name={say("period_largest")} value={answer.largest === undefined ? undefined : String(answer.largest)} />
          <Fact name={say("period_rare")} value={answer.sparse_space?.rare_heaps} />
        </dl>
      </section>
      {svg && (
        <section class="shown">
          <Picture svg={svg} label={say("period_plot", { family: answer.family })} scale={1.15} least={0.6} />
        </section>
      )}
      <Certificate text={answer.files?.[CERTIFICATE]} family={answer.family} />
      {frequent.length > 0 && (
        <details class="data">
          <summary>{say("period_frequencies")}</summary>
          <div class="scrolled" tabIndex={0} role="region" aria-label={say("period_frequencies")}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{say("grundy_value")}</th>
                  <th scope="col">{say("period_count")}</th>
                  <td />
                </tr>
              </thead>
              <tbody>
                {frequent.map(([value, count]) => (
                  <tr key={String(value)}>
                    <th scope="row">{String(value)}</th>
                    <td>{count.toLocaleString(state.lang)}</td>
                    <td class="bar-cell">
                      <svg viewBox="0 0 200 12" width="200" height="12" aria-hidden="true" preserveAspectRatio="none">
                        <rect class="bar" width={(200 * count) / tallest} height="12" rx="2" />
                      </svg>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      )}
    </>
  );
}

function Fact({ name, value }: { name: string; value: number | string | undefined }) {
  const { state } = usePage();
  if (value === undefined) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{typeof value === "number" ? value.toLocaleString(state.lang) : value}</dd>
    </div>
  );
}
