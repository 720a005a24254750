// A choice of a few options: radio buttons in one row.
import type { ComponentChildren } from "preact";

interface Option<T extends string> {
  value: T;
  label: ComponentChildren;
  /** The accessible text of an option whose label is a symbol. */
  words?: string;
  lang?: string;
}

interface Props<T extends string> {
  name: string;
  legend: string;
  value: T;
  options: Option<T>[];
  choose(value: T): void;
  /** If true, the legend is visible. */
  showLegend?: boolean;
}

export function Choice<T extends string>({ name, legend, value, options, choose, showLegend = false }: Props<T>) {
  return (
    <fieldset class="choice">
      <legend class={showLegend ? "" : "unseen"}>{legend}</legend>
      <div class="choice-row">
        {options.map((option) => (
          <label key={option.value} class={option.value === value ? "chosen" : ""} title={option.words} lang={option.lang}>
            <input type="radio" name={name} value={option.value} checked={option.value === value} onChange={() => choose(option.value)} />
            {option.words === undefined ? option.label : (
              <>
                {option.label}
                <span class="unseen">{option.words}</span>
              </>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
