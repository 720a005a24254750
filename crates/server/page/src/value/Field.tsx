// A text field whose value is read after a pause in typing, or at Enter.
import { useEffect, useState } from "preact/hooks";

/** The pause in milliseconds. */
const PAUSE = 500;

export function Field({ label, text, change, list }: { label: string; text: string; change(text: string): void; list?: string[] }) {
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed === text) return;
    const timer = setTimeout(() => change(typed.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <label class="field">
      <span>{label}</span>
      <input
        value={typed}
        list={list && "value-list"}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && change(typed.trim())}
      />
      {list && (
        <datalist id="value-list">
          {list.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </label>
  );
}
