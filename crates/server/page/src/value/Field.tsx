// A text field whose value is read after a pause in typing, or at Enter.
import { useEffect, useState } from "preact/hooks";

/** The pause in milliseconds. */
const REST = 500;

export function Field({ label, text, put, list }: { label: string; text: string; put(text: string): void; list?: string[] }) {
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed === text) return;
    const timer = setTimeout(() => put(typed.trim()), REST);
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
        onKeyDown={(event) => event.key === "Enter" && put(typed.trim())}
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
