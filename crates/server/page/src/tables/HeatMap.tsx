// A heat map of a table with two variables: SVG squares, or pixels on a canvas for large tables.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { DIRECTIONS } from "../board/direction.ts";
import type { TableAnswer } from "../engine/answers.ts";
import { glyph, grundyText } from "../outcome.ts";
import { usePage } from "../state/page.ts";
import { type Row, rowsOf, valueText } from "./copies.ts";
import { type Shade, UNKNOWN, ZERO, outcomeShade, shade } from "./ramp.ts";

/** The number of cells above which a canvas is used. */
const MAX_SQUARES = 10_000;
const LEFT = 38;
const TOP = 24;

interface Props {
  table: TableAnswer;
  open(values: Record<string, number>): void;
}

export function HeatMap({ table, open }: Props) {
  const { say, announce } = usePage();
  const [at, setAt] = useState<[number, number] | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const rows = useMemo(() => rowsOf(table), [table]);
  const [down, across] = [(table.to[0] ?? 0) - (table.from[0] ?? 0) + 1, (table.to[1] ?? 0) - (table.from[1] ?? 0) + 1];
  const values = rows.map((row) => (typeof row.grundy === "object" ? NaN : Number(row.grundy)));
  const most = values.reduce((best, value) => (value > best ? value : best), 1);
  const usesCanvas = rows.length > MAX_SQUARES;
  const cell = usesCanvas ? Math.max(2, Math.floor(900 / across)) : Math.max(6, Math.min(34, Math.floor(920 / across)));
  const [width, height] = [LEFT + across * cell + 8, TOP + down * cell + 8];
  const [first = "a", second = "b"] = table.variables;
  const [from = 0, under = 0] = table.from;

  const shadeOf = (row: Row | undefined): Shade => {
    if (!row) return UNKNOWN;
    if (row.grundy === undefined || typeof row.grundy === "object") return outcomeShade(row.outcome);
    return shade(Number(row.grundy), most);
  };
  const cellWords = ([i, j]: [number, number]): string => {
    const row = rows[i * across + j];
    const value = row === undefined || valueText(row) === "" ? "" : `${say(row.genus === undefined ? "grundy_value" : "genus")} ${valueText(row)}`;
    return [`${first} = ${from + i}, ${second} = ${under + j}: ${glyph(row?.outcome)}`, value].filter((part) => part !== "").join(", ");
  };
  const labelStep = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].find((step) => step * cell >= 26) ?? 1000;

  useEffect(() => {
    const board = canvas.current;
    const pen = board?.getContext("2d");
    if (!board || !pen) return;
    // The canvas is positioned in percent, so that it stays aligned with the axis labels at every
    // size.
    board.style.left = `${(100 * LEFT) / width}%`;
    board.style.top = `${(100 * TOP) / height}%`;
    board.style.width = `${(100 * across * cell) / width}%`;
    board.style.height = `${(100 * down * cell) / height}%`;
    pen.clearRect(0, 0, board.width, board.height);
    rows.forEach((row, index) => {
      pen.fillStyle = shadeOf(row).fill;
      pen.fillRect((index % across) * cell, Math.floor(index / across) * cell, cell, cell);
    });
  }, [rows, cell, usesCanvas]);

  const placeOf = (event: MouseEvent): [number, number] | null => {
    const box = frame.current?.querySelector("svg")?.getBoundingClientRect();
    if (!box) return null;
    const scale = width / box.width;
    const j = Math.floor(((event.clientX - box.left) * scale - LEFT) / cell);
    const i = Math.floor(((event.clientY - box.top) * scale - TOP) / cell);
    return i >= 0 && j >= 0 && i < down && j < across ? [i, j] : null;
  };
  const openAt = (place: [number, number] | null) => place && open({ [first]: from + place[0], [second]: under + place[1] });
  const key = (event: KeyboardEvent) => {
    const direction = DIRECTIONS[event.key];
    const now = at ?? [0, 0];
    if (direction) {
      const next: [number, number] = at === null ? [0, 0] : [Math.max(0, Math.min(down - 1, now[0] + direction[1])), Math.max(0, Math.min(across - 1, now[1] + direction[0]))];
      setAt(next);
      announce(cellWords(next));
    } else if (event.key === "Enter" && at) openAt(at);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const labels = (count: number, begin: number) => Array.from({ length: count }, (_, index) => index).filter((index) => (begin + index) % labelStep === 0);
  return (
    <figure class="heat">
      <div
        class="heat-frame"
        ref={frame}
        tabIndex={0}
        role="application"
        aria-label={say("heat_label", { family: table.family })}
        onKeyDown={key}
        onPointerMove={(event) => setAt(placeOf(event))}
        onPointerLeave={() => setAt(null)}
        onClick={(event) => openAt(placeOf(event))}
      >
        {usesCanvas && <canvas ref={canvas} class="heat-canvas" width={across * cell} height={down * cell} aria-hidden="true" />}
        <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
          <text class="heat-axis" x={LEFT - 8} y={TOP - 8} text-anchor="end">
            {first}\{second}
          </text>
          {labels(across, under).map((index) => (
            <text key={`c${index}`} class="heat-axis" x={LEFT + (index + 0.5) * cell} y={TOP - 8} text-anchor="middle">
              {under + index}
            </text>
          ))}
          {labels(down, from).map((index) => (
            <text key={`r${index}`} class="heat-axis" x={LEFT - 6} y={TOP + (index + 0.5) * cell + 4} text-anchor="end">
              {from + index}
            </text>
          ))}
          {!usesCanvas &&
            rows.map((row, index) => {
              const { fill, ink } = shadeOf(row);
              const [x, y] = [LEFT + (index % across) * cell, TOP + Math.floor(index / across) * cell];
              const sign = row.grundy === undefined ? glyph(row.outcome) : grundyText(row.grundy);
              return (
                <g key={index}>
                  <rect x={x} y={y} width={cell} height={cell} fill={fill} class={row.outcome === "P" ? "heat-p" : "heat-cell"} />
                  {cell >= 14 && sign.length * 7 <= cell && (
                    <text x={x + cell / 2} y={y + cell / 2 + 4} text-anchor="middle" fill={ink} class="heat-value">
                      {sign}
                    </text>
                  )}
                </g>
              );
            })}
          {at && <rect class="heat-cursor" x={LEFT + at[1] * cell} y={TOP + at[0] * cell} width={cell} height={cell} />}
        </svg>
      </div>
      <figcaption>
        <span class="heat-told">{at ? cellWords(at) : say("heat_help")}</span>
        {values.some(Number.isFinite) && (
          <span class="heat-legend" aria-hidden="true">
            <svg viewBox="0 0 230 20" width="230" height="20">
              <rect x="0.5" y="2" width="16" height="16" fill={ZERO.fill} class="heat-p" />
              <text x="22" y="15" class="heat-axis">
                0
              </text>
              {Array.from({ length: 24 }, (_, index) => (
                <rect key={index} x={44 + index * 6} y="2" width="6.5" height="16" fill={shade(1 + (index / 23) * Math.max(most - 1, 0), most).fill} />
              ))}
              <text x="194" y="15" class="heat-axis">
                {most}
              </text>
            </svg>
          </span>
        )}
      </figcaption>
    </figure>
  );
}
