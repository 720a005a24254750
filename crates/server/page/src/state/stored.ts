// The language and theme stored in the browser, if it permits that.
import type { Language } from "../engine/answers.ts";
import type { Theme } from "./state.ts";

function read(key: string): string | null {
  try {
    return localStorage.getItem(`grundy.${key}`);
  } catch {
    return null;
  }
}

export function store(key: "lang" | "theme", value: string): void {
  try {
    localStorage.setItem(`grundy.${key}`, value);
  } catch {
    // Private windows may lack storage.
  }
}

export function storedLanguage(): Language {
  const stored = read("lang");
  if (stored === "en" || stored === "zh") return stored;
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

export function storedTheme(): Theme {
  const stored = read("theme");
  return stored === "light" || stored === "dark" ? stored : "system";
}
