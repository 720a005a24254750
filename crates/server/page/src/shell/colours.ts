// Light or dark, as the reader or the system wants it.
import { useEffect, useState } from "preact/hooks";
import type { Theme } from "../state/state.ts";

export function useDark(theme: Theme): boolean {
  const query = "(prefers-color-scheme: dark)";
  const [system, setSystem] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const follow = () => setSystem(list.matches);
    list.addEventListener("change", follow);
    return () => list.removeEventListener("change", follow);
  }, []);
  const dark = theme === "system" ? system : theme === "dark";
  useEffect(() => {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
  }, [dark]);
  return dark;
}
