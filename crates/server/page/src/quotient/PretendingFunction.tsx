// The elements of the heaps or positions 1, 2, 3, ...: the preperiod and one period.
import type { QuotientAnswer } from "../engine/answers.ts";
import { usePage } from "../state/page.ts";
import { Element } from "./Element.tsx";

const MAX_SHOWN = 400;
/** The number of columns. A period from `LEAST` to `MOST` is used in its place. */
const ROW = 10;
const [LEAST, MOST] = [4, 20];

export function PretendingFunction({ answer }: { answer: QuotientAnswer }) {
  const { state, say } = usePage();
  const { preperiod, period, elements } = answer;
  const count = preperiod === undefined || period === undefined ? elements.length : preperiod + period - 1;
  const listed = elements.slice(0, Math.min(count, MAX_SHOWN));
  const across = period !== undefined && period >= LEAST && period <= MOST ? period : Math.min(ROW, listed.length);
  const losing = new Set(answer.p);
  const rows = Array.from({ length: Math.ceil(listed.length / across) }, (_, row) => listed.slice(row * across, (row + 1) * across));
  const name = say(typeof answer.generators[0] === "string" ? "quotient_elements_positions" : "quotient_elements");
  return (
    <section class="found">
      <h2>{name}</h2>
      {period !== undefined && (
        <p>
          {say(answer.status === "proved" ? "quotient_repeats" : "quotient_repeats_so_far", {
            preperiod: (preperiod ?? 1).toLocaleString(state.lang),
            period: period.toLocaleString(state.lang),
          })}
        </p>
      )}
      <div class="scrolled" tabIndex={0} role="region" aria-label={name}>
        <table class="pretending">
          <thead>
            <tr>
              <th scope="col">n</th>
              {Array.from({ length: across }, (_, at) => (
                <th key={at} scope="col">
                  {at === 0 ? "Φ(n)" : `+${at}`}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at}>
                <th scope="row">{at * across + 1}</th>
                {row.map((element, column) => (
                  <td key={column}>
                    {losing.has(element) ?
                      <strong class="losing">
                        <Element name={element} />
                      </strong>
                    : <Element name={element} />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="note">{say("quotient_framed")}</p>
      {count > MAX_SHOWN && <p class="note">{say("quotient_more_elements", { count: MAX_SHOWN })}</p>}
    </section>
  );
}
