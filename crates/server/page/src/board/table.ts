// The state of the board: requests to the engine as the page changes, replies of the program, and
// hints.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { BoardAnswer } from "../engine/answers.ts";
import { NOTHING, askOnce, useAsked } from "../state/asked.ts";
import { type GivenHint, type Page, type Table, played, usePage } from "../state/page.ts";
import { moved, stepped } from "../state/state.ts";
import { moveWords, resultWords, toMoveWords } from "./told.ts";

/**
 * The delay in milliseconds before the program replies, so that the reader sees the own move first.
 */
const BREATH = 450;
export const HINT_STAGES = 3;

export interface TableState extends Table {
  page: Page;
}

export function useTableState(): TableState {
  const page = usePage();
  const { state, view, change, engine, lost, say, announce, connection } = page;
  const watching = view.layout !== "wide";
  const question = played(state);
  const board = useAsked("board", watching ? question : null, { keep: true });
  const analysis = useAsked("analyse", view.marks ? question : null);
  const fresh = !board.pending && board.trouble === null && board.answer !== null;
  const key = JSON.stringify(question);

  // Moves written in words in the URL are replaced by their numbers once the engine has parsed
  // them.
  useEffect(() => {
    if (!fresh || !board.answer) return;
    const saved = board.answer.saved.split(";").map((move) => move.trim());
    const known = state.moves.slice(0, state.at);
    if (saved.length !== known.length || saved.every((move, index) => move === known[index])) return;
    change((now) => ({ ...now, moves: [...saved, ...now.moves.slice(now.at)] }));
  }, [board.answer, fresh]);

  // Announces the last move and the new state to screen readers.
  const told = useRef<BoardAnswer | null>(null);
  useEffect(() => {
    const answer = board.answer;
    const before = told.current;
    told.current = answer;
    if (!answer || !before || answer === before || answer.game !== before.game) return;
    const last = answer.turn > before.turn ? answer.made.at(-1) : undefined;
    const now = answer.over ? resultWords(answer, state, say) : toMoveWords(answer, state, say);
    announce(last ? `${moveWords(last, answer, say)}. ${now}` : now);
  }, [board.answer]);

  const opponent = view.id === "play" && state.seat !== "both";
  const mine = board.answer !== null && (board.answer.turn % 2 === 0) === (state.seat === "first");
  const yours = !opponent || mine;

  const [pointed, point] = useState<string | null>(null);
  const [hint, setHint] = useState<GivenHint | null>(null);
  const hinting = useRef<AbortController | null>(null);
  useEffect(() => {
    hinting.current?.abort();
    point(null);
    setHint(null);
  }, [key]);

  const ahead = useRef<AbortController | null>(null);
  const press = useCallback(
    (write: string) => {
      if (!fresh || !yours) return;
      ahead.current?.abort();
      ahead.current = new AbortController();
      const next = played(moved(state, write));
      const names = view.marks ? (["board", "analyse"] as const) : (["board"] as const);
      for (const name of names) engine.ask(name, next, ahead.current.signal).catch(() => undefined);
    },
    [fresh, yours, state, view.marks, engine],
  );
  // `press` prefetches the answers for the pressed move. When the position changes, the page makes
  // its own requests, which share the answers of identical ones, so the prefetch can be aborted.
  useEffect(() => ahead.current?.abort(), [key]);

  const play = useCallback(
    (write: string) => {
      if (!fresh || !yours) return;
      change((now) => moved(now, write));
    },
    [fresh, yours, change],
  );

  // The reply of the program.
  const thinks = opponent && fresh && !mine && !board.answer?.over && state.at === state.moves.length;
  const [thinking, setThinking] = useState(false);
  useEffect(() => {
    setThinking(thinks);
    if (!thinks) return;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const asked = { ...question, level: state.level, seed: Math.floor(Math.random() * 2 ** 31) };
      const reply = await askOnce(engine, lost, "reply", asked, stop.signal);
      if (reply === null) return;
      setThinking(false);
      if ("answer" in reply) change((now) => moved(now, reply.answer.move.write));
      else if (reply.trouble.kind !== "offline") announce(reply.trouble.message);
    }, BREATH);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [thinks, key, state.level, connection]);

  const nextHint = useCallback(async () => {
    hinting.current?.abort();
    const stop = new AbortController();
    hinting.current = stop;
    const stage = Math.min((hint?.stage ?? 0) + 1, HINT_STAGES);
    const asked = await askOnce(engine, lost, "hint", { ...question, stage }, stop.signal);
    if (asked === null) return;
    if ("trouble" in asked) {
      setHint({ stage, answer: null, trouble: asked.trouble.message });
      announce(asked.trouble.message);
      return;
    }
    const { answer } = asked;
    setHint({ stage, answer, trouble: null });
    if (answer.move) point(answer.move.write);
    announce([answer.text, answer.move?.move ?? "", ...(answer.steps ?? []).map((step) => step.text)].join(" "));
  }, [hint?.stage, key, engine]);

  const best = useCallback(async () => {
    hinting.current?.abort();
    const stop = new AbortController();
    hinting.current = stop;
    const asked = await askOnce(engine, lost, "hint", { ...question, stage: 2 }, stop.signal);
    if (asked === null || "trouble" in asked) return;
    const move = asked.answer.move;
    if (!move) return;
    point(move.write);
    announce(say("hint_move", { move: move.move }));
  }, [key, engine, say]);

  /** Goes one move back, or in a match against the program to the reader's previous turn. */
  const back = useCallback(() => {
    change((now) => {
      const one = now.at - 1;
      if (!opponent) return stepped(now, one);
      const own = (at: number) => (at % 2 === 0) === (now.seat === "first");
      const to = own(one) ? one : one - 1;
      return to < 0 ? now : stepped(now, to);
    });
  }, [change, opponent]);
  const forth = useCallback(() => {
    change((now) => {
      const one = now.at + 1;
      if (!opponent) return stepped(now, one);
      const own = (at: number) => (at % 2 === 0) === (now.seat === "first");
      return stepped(now, own(one) ? one : one + 1);
    });
  }, [change, opponent]);

  return useMemo(
    () => ({
      page,
      board,
      analysis: view.marks ? analysis : NOTHING,
      press,
      play,
      yours,
      fresh,
      thinking,
      pointed,
      point,
      hint,
      nextHint,
      best,
      back,
      forth,
    }),
    [page, board, analysis, press, play, yours, fresh, thinking, pointed, hint, nextHint, best, back, forth],
  );
}
