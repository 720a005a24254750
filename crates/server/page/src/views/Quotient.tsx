// The misère quotient of a family of heaps, or of some positions: its elements, what they do, and a certificate.
import { Picture } from "../board/Picture.tsx";
import type { QuotientAnswer } from "../engine/answers.ts";
import { CERTIFICATE, Certificate } from "../period/Certificate.tsx";
import { Slow } from "../shell/Slow.tsx";
import { Trouble } from "../shell/Trouble.tsx";
import { useAsked } from "../state/asked.ts";
import { common, usePage } from "../state/page.ts";
import { CopyButton } from "../tables/Copying.tsx";
import { useFamily } from "../tables/chosen.ts";
import { FamilyField } from "../tables/FamilyField.tsx";
import type { View } from "./views.ts";

export const quotient: View = { id: "quotient", word: "view_quotient", layout: "wide", marks: false, Panel };

const EXAMPLES = ["kayles(n)", "take_and_break('0.75', n)", "take_and_break('0.123', n)", "take_and_break('0.144', n)", "subtraction([2, 3, 7], n)", "[chomp(3, 2), kayles(7)]"];
const SVG = "quotient.svg";
/** Heaps that are looked at while somebody waits. */
const MOST = 400;

function Panel() {
  const { state, say } = usePage();
  const { family, keep } = useFamily("quotient", 1);
  const question = { ...common(state), game: family, max: MOST, certificate: CERTIFICATE, svg: SVG };
  const { answer, trouble, pending } = useAsked("quotient", family === "" ? null : question);
  return (
    <div class="period-view">
      <p class="telling">{say("quotient_about")}</p>
      <div class="question-bar">
        <FamilyField value={family} examples={EXAMPLES} change={(text) => keep({ family: text })} />
        <CopyButton what={say("copy_command")} text={() => `grundy quotient ${JSON.stringify(family)}`} />
      </div>
      <Slow pending={pending} />
      {trouble && <Trouble trouble={trouble} />}
      {answer && !trouble && <Found answer={answer} />}
    </div>
  );
}

function Found({ answer }: { answer: QuotientAnswer }) {
  const { state, say } = usePage();
  const count = (value: number | undefined) => value?.toLocaleString(state.lang);
  const svg = answer.files?.[SVG];
  const facts: [string, string | undefined][] = [
    [say("quotient_order"), count(answer.order)],
    [say("quotient_losing"), `${count(answer.p_order)}: ${answer.p.join(", ")}`],
    [say("quotient_name"), answer.name ?? undefined],
    [say("quotient_generators"), answer.generators.map((of, at) => `${letter(at)} = ${of}`).join(", ")],
    [say("quotient_presentation"), answer.presentation],
    [say("period_preperiod"), count(answer.preperiod)],
    [say("period_period"), count(answer.period)],
    [say("quotient_checked"), count(answer.checked_to)],
    [say("quotient_transitions"), count(answer.transitions)],
  ];
  return (
    <>
      <section class="found">
        <h2>{say("quotient_found", { family: answer.family, order: answer.order })}</h2>
        <p>
          <span class={`status ${answer.status}`}>{say(`status_${answer.status}`)}</span>
        </p>
        <dl class="facts">
          {facts.map(
            ([name, value]) =>
              value !== undefined && (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ),
          )}
        </dl>
      </section>
      {svg && (
        <section class="shown">
          <Picture svg={svg} label={say("quotient_picture", { family: answer.family })} scale={1} least={0.5} />
        </section>
      )}
      <section class="found">
        <h2>{say("quotient_elements")}</h2>
        <div class="scrolled" tabIndex={0} role="region" aria-label={say("quotient_elements")}>
          <table>
            <tbody>
              <tr>
                <th scope="row">n</th>
                {answer.elements.map((_, at) => (
                  <th key={at} scope="col">
                    {at + 1}
                  </th>
                ))}
              </tr>
              <tr>
                <th scope="row">Φ(n)</th>
                {answer.elements.map((element, at) => (
                  <td key={at}>{element}</td>
                ))}
              </tr>
            </tbody>
          </table>
        </div>
      </section>
      <Certificate text={answer.files?.[CERTIFICATE]} family={answer.family} />
    </>
  );
}

/** The name of a generator, as the program gives it. */
const letter = (at: number) => String.fromCharCode(97 + (at % 26)) + (at < 26 ? "" : String(Math.floor(at / 26)));
