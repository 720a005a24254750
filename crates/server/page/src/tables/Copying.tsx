// Buttons that copy a text and confirm it.
import { useState } from "preact/hooks";
import { copyText } from "../copying/clipboard.ts";
import { usePage } from "../state/page.ts";

export function CopyButton({ what, text }: { what: string; text(): string | Promise<string | null> }) {
  const { say, announce } = usePage();
  const [done, setDone] = useState(false);
  const act = async () => {
    const words = await text();
    const success = words !== null && (await copyText(words));
    setDone(success);
    announce(say(success ? "copied" : "copy_failed", { what }));
    setTimeout(() => setDone(false), 1800);
  };
  return (
    <button type="button" class={`plain${done ? " done" : ""}`} onClick={act}>
      {what}
      {done && <span aria-hidden="true"> ✓</span>}
    </button>
  );
}
