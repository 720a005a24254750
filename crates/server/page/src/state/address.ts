// The state in the URL fragment: an expression alone, or keys with values.
import type { Language } from "../engine/answers.ts";
import { START, type Seat, type State } from "./state.ts";

const KEYED = /^[a-z_.]+=/;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Encodes a value for the URL, leaving harmless characters readable. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/%(2C|5B|5D|3A|3B|40|2F)/g, (code) => decodeURIComponent(code));

const lines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const integerIn = (text: string | undefined, least: number, most: number): number | undefined => {
  const value = Number(text);
  return text !== undefined && Number.isInteger(value) && value >= least && value <= most ? value : undefined;
};

/** Parses a URL fragment; keys that it lacks are taken from `before`. */
export function readAddress(hash: string, before: State): State {
  const text = hash.replace(/^#/, "");
  const defaults: State = { ...START, lang: before.lang, theme: before.theme };
  if (text === "") return defaults;
  if (!KEYED.test(text)) return { ...defaults, game: decoded(text) };
  const keys = new Map<string, string>();
  for (const pair of text.split("&")) {
    const [key = "", ...value] = pair.split("=");
    if (key !== "") keys.set(key, decoded(value.join("=")));
  }
  const take = (key: string): string | undefined => {
    const value = keys.get(key);
    keys.delete(key);
    return value;
  };
  const game = take("game") ?? defaults.game;
  const moves = (take("moves") ?? "")
    .split(";")
    .map((move) => move.trim())
    .filter((move) => move !== "");
  const lang = take("lang");
  const seat = take("you");
  const read: State = {
    ...defaults,
    game,
    play: take("play") === "misere" ? "misere" : "normal",
    rules: take("rules") ?? "",
    table: take("table") ?? "",
    moves,
    at: integerIn(take("at"), 0, moves.length) ?? moves.length,
    begins: take("begins") === "right" ? "right" : "left",
    view: take("view") ?? defaults.view,
    step: integerIn(take("step"), 0, 1e6) ?? 0,
    seat: seat === "both" || seat === "second" ? (seat as Seat) : "first",
    level: integerIn(take("level"), 0, 10) ?? defaults.level,
    list: lines(take("list") ?? ""),
    lang: lang === "zh" || lang === "en" ? (lang as Language) : before.lang,
    more: {},
  };
  read.more = Object.fromEntries(keys);
  return read;
}

/** Returns the shortest URL fragment of a state. */
export function writeAddress(state: State): string {
  const keys: [string, string][] = [];
  const add = (key: string, value: string, initial: string) => {
    if (value !== initial) keys.push([key, value]);
  };
  add("play", state.play, START.play);
  add("rules", state.rules, "");
  add("table", state.table, "");
  add("moves", state.moves.join(";"), "");
  if (state.at !== state.moves.length) keys.push(["at", String(state.at)]);
  add("begins", state.begins, START.begins);
  add("view", state.view, START.view);
  add("step", String(state.step), "0");
  add("you", state.seat, START.seat);
  add("level", String(state.level), String(START.level));
  add("list", state.list.join("\n"), "");
  for (const [key, value] of Object.entries(state.more)) add(key, value, "");
  add("lang", state.lang, "en");
  if (keys.length === 0) {
    const game = state.game.replace(/[%\s"<>`#\\]/g, (letter) => encodeURIComponent(letter));
    if (!KEYED.test(game)) return `#${game}`;
  }
  const all: [string, string][] = [["game", state.game], ...keys];
  return `#${all.map(([key, value]) => `${key}=${encoded(value)}`).join("&")}`;
}
