// A menu of examples; choosing one inserts it.
import { usePage } from "../state/page.ts";

interface Props<T> {
  examples: T[];
  title(example: T): string;
  choose(example: T): void;
  /** The language of the titles, if it differs from that of the page. */
  lang?: string;
}

export function Examples<T>({ examples, title, choose, lang }: Props<T>) {
  const { say } = usePage();
  return (
    <label class="field">
      <span>{say("rules_examples")}</span>
      <select
        value=""
        onChange={(event) => {
          const example = examples[Number(event.currentTarget.value)];
          const chosen = event.currentTarget.value !== "";
          // Reset the menu, so that the same example can be chosen again.
          event.currentTarget.value = "";
          if (chosen && example !== undefined) choose(example);
        }}
      >
        <option value="">{say("rules_choose")}</option>
        {examples.map((example, index) => (
          <option key={index} value={index} lang={lang}>
            {title(example)}
          </option>
        ))}
      </select>
    </label>
  );
}
