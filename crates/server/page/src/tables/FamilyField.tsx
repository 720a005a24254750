// The text field for a family.
import { useEffect, useState } from "preact/hooks";
import { usePage } from "../state/page.ts";

interface Props {
  value: string;
  examples: string[];
  /** The label, unless the field is for a family alone. */
  label?: string;
  change(value: string): void;
}

export function FamilyField({ value, examples, label, change }: Props) {
  const { say } = usePage();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => change(text.trim()), 500);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label class="field family">
      <span>{label ?? say("family")}</span>
      <input
        value={text}
        list="families"
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && change(text.trim())}
      />
      <datalist id="families">
        {examples.map((example) => (
          <option key={example} value={example} />
        ))}
      </datalist>
    </label>
  );
}
