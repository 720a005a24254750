// The state of the match on the board: requests to the engine when the page changes, replies of the
// program, and hints.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { BoardAnswer } from "../engine/answers.ts";
import { NO_REQUEST, askOnce, useRequest } from "../state/request.ts";
import { type HintState, type Page, type Match, matchKeys, usePage } from "../state/page.ts";
import { makeMove, goToMove } from "../state/state.ts";
import { pastMoveWords, resultWords, toMoveWords } from "./matchWords.ts";

/**
 * The delay in milliseconds before the program replies, so that the reader first sees the own move.
 */
const REPLY_DELAY = 450;
export const HINT_STAGES = 3;

export interface MatchState extends Match {
  page: Page;
}

export function useMatchState(): MatchState {
  const page = usePage();
  const { state, view, change, engine, reportOffline, say, announce, connection } = page;
  const showsBoard = view.layout !== "wide";
  const question = matchKeys(state);
  const board = useRequest("board", showsBoard ? question : null, { keep: true });
  const analysis = useRequest("analyse", view.marks ? question : null);
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
  const announced = useRef<BoardAnswer | null>(null);
  useEffect(() => {
    const answer = board.answer;
    const before = announced.current;
    announced.current = answer;
    if (!answer || !before || answer === before || answer.game !== before.game) return;
    const last = answer.turn > before.turn ? answer.made.at(-1) : undefined;
    const now = answer.over ? resultWords(answer, state, say) : toMoveWords(answer, state, say);
    announce(last ? `${pastMoveWords(last, answer, say)}. ${now}` : now);
  }, [board.answer]);

  const opponent = view.id === "play" && state.seat !== "both";
  const readersTurn = board.answer !== null && (board.answer.turn % 2 === 0) === (state.seat === "first");
  const readerMayMove = !opponent || readersTurn;

  const [highlighted, highlight] = useState<string | null>(null);
  const [hint, setHint] = useState<HintState | null>(null);
  const hintRequest = useRef<AbortController | null>(null);
  useEffect(() => {
    hintRequest.current?.abort();
    highlight(null);
    setHint(null);
  }, [key]);

  const prefetching = useRef<AbortController | null>(null);
  const prefetch = useCallback(
    (write: string) => {
      if (!fresh || !readerMayMove) return;
      prefetching.current?.abort();
      prefetching.current = new AbortController();
      const next = matchKeys(makeMove(state, write));
      const names = view.marks ? (["board", "analyse"] as const) : (["board"] as const);
      for (const name of names) engine.ask(name, next, prefetching.current.signal).catch(() => undefined);
    },
    [fresh, readerMayMove, state, view.marks, engine],
  );
  // `prefetch` requests the answers for the pressed move. When the position changes, the page makes
  // the same requests, which share the pending answers. So those of `prefetch` can be aborted.
  useEffect(() => prefetching.current?.abort(), [key]);

  const play = useCallback(
    (write: string) => {
      if (!fresh || !readerMayMove) return;
      change((now) => makeMove(now, write));
    },
    [fresh, readerMayMove, change],
  );

  // The reply of the program.
  const programMoves = opponent && fresh && !readersTurn && !board.answer?.over && state.at === state.moves.length;
  const [thinking, setThinking] = useState(false);
  useEffect(() => {
    setThinking(programMoves);
    if (!programMoves) return;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const replyQuestion = { ...question, level: state.level, seed: Math.floor(Math.random() * 2 ** 31) };
      const reply = await askOnce(engine, reportOffline, "reply", replyQuestion, stop.signal);
      if (reply === null) return;
      setThinking(false);
      if ("answer" in reply) change((now) => makeMove(now, reply.answer.move.write));
      else if (reply.trouble.kind !== "offline") announce(reply.trouble.message);
    }, REPLY_DELAY);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [programMoves, key, state.level, connection]);

  const nextHint = useCallback(async () => {
    hintRequest.current?.abort();
    const stop = new AbortController();
    hintRequest.current = stop;
    const stage = Math.min((hint?.stage ?? 0) + 1, HINT_STAGES);
    const response = await askOnce(engine, reportOffline, "hint", { ...question, stage }, stop.signal);
    if (response === null) return;
    if ("trouble" in response) {
      setHint({ stage, answer: null, trouble: response.trouble.message });
      announce(response.trouble.message);
      return;
    }
    const { answer } = response;
    setHint({ stage, answer, trouble: null });
    if (answer.move) highlight(answer.move.write);
    announce([answer.text, answer.move?.move ?? "", ...(answer.steps ?? []).map((step) => step.text)].join(" "));
  }, [hint?.stage, key, engine]);

  const showBestMove = useCallback(async () => {
    hintRequest.current?.abort();
    const stop = new AbortController();
    hintRequest.current = stop;
    const response = await askOnce(engine, reportOffline, "hint", { ...question, stage: 2 }, stop.signal);
    if (response === null || "trouble" in response) return;
    const move = response.answer.move;
    if (!move) return;
    highlight(move.write);
    announce(say("hint_move", { move: move.move }));
  }, [key, engine, say]);

  /** Goes one move back, or in a match against the program to the reader's previous turn. */
  const undo = useCallback(() => {
    change((now) => {
      const one = now.at - 1;
      if (!opponent) return goToMove(now, one);
      const isReadersTurn = (at: number) => (at % 2 === 0) === (now.seat === "first");
      const to = isReadersTurn(one) ? one : one - 1;
      return to < 0 ? now : goToMove(now, to);
    });
  }, [change, opponent]);
  const redo = useCallback(() => {
    change((now) => {
      const one = now.at + 1;
      if (!opponent) return goToMove(now, one);
      const isReadersTurn = (at: number) => (at % 2 === 0) === (now.seat === "first");
      return goToMove(now, isReadersTurn(one) ? one : one + 1);
    });
  }, [change, opponent]);

  return useMemo(
    () => ({
      page,
      board,
      analysis: view.marks ? analysis : NO_REQUEST,
      prefetch,
      play,
      readerMayMove,
      fresh,
      thinking,
      highlighted,
      highlight,
      hint,
      nextHint,
      showBestMove,
      undo,
      redo,
    }),
    [page, board, analysis, prefetch, play, readerMayMove, fresh, thinking, highlighted, hint, nextHint, showBestMove, undo, redo],
  );
}
