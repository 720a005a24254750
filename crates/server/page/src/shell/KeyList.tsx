// A list of keys and their actions.
import { usePage } from "../state/page.ts";
import type { Word } from "../words.ts";

export interface Keys {
  keys: string[];
  word: Word;
}

export function KeyList({ all }: { all: Keys[] }) {
  const { say } = usePage();
  return (
    <dl class="keys">
      {all.map(({ keys, word }) => (
        <div key={word}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{say(word)}</dd>
        </div>
      ))}
    </dl>
  );
}
