// The help dialog: the keys, the outcomes and the notation.
import { useEffect, useRef } from "preact/hooks";
import { usePage } from "../state/page.ts";
import type { Word } from "../words.ts";
import { Icon } from "./Icon.tsx";
import { KEYS } from "./keys.ts";
import { KeyList } from "./KeyList.tsx";

const LETTERS: { letter: string; tint: string; word: Word }[] = [
  { letter: "N", tint: "win", word: "outcome_n" },
  { letter: "P", tint: "lose", word: "outcome_p" },
  { letter: "D", tint: "draw", word: "outcome_d" },
  { letter: "L", tint: "none", word: "outcome_l" },
  { letter: "R", tint: "none", word: "outcome_r" },
];

const WRITTEN: { text: string; word: Word }[] = [
  { text: "nim(3, 4, 5)", word: "written_call" },
  { text: "nim(3, 4) + kayles(7)", word: "written_sum" },
  { text: "domineering([\"...\", \"..#\"])", word: "written_board" },
];

export function HelpDialog({ close }: { close(): void }) {
  const { say } = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={close} onClick={(event) => event.target === dialog.current && dialog.current?.close()}>
      <div class="help-inside">
        <div class="help-head">
          <h2 id="help-title">{say("help")}</h2>
          <button type="button" class="icon" onClick={() => dialog.current?.close()} aria-label={say("close")} title={say("close")}>
            <Icon name="close" />
          </button>
        </div>
        <div class="help-columns">
          <section>
            <h3>{say("help_keys")}</h3>
            <KeyList all={KEYS} />
          </section>
          <section>
            <h3>{say("help_letters")}</h3>
            <dl class="letters">
              {LETTERS.map(({ letter, tint, word }) => (
                <div key={letter}>
                  <dt>
                    <span class={`badge tint-${tint}`}>{letter}</span>
                  </dt>
                  <dd>{say(word)}</dd>
                </div>
              ))}
            </dl>
            <p>{say("help_marks")}</p>
            <h3>{say("help_written")}</h3>
            <dl class="written">
              {WRITTEN.map(({ text, word }) => (
                <div key={text}>
                  <dt>
                    <code>{text}</code>
                  </dt>
                  <dd>{say(word)}</dd>
                </div>
              ))}
            </dl>
          </section>
        </div>
      </div>
    </dialog>
  );
}
