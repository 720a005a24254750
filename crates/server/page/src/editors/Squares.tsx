// Boards whose squares are edited by clicks: a grid of buttons, which is one tab stop.
import { useRef } from "preact/hooks";
import { DIRECTIONS } from "../board/direction.ts";
import { usePage } from "../state/page.ts";
import { type Call, list, number, numbersIn, rowsIn, text } from "./literal.ts";
import { Stepper } from "./Stepper.tsx";

interface Square {
  /** The text on the square. */
  sign: string;
  /** The CSS class and the label of the square. */
  className: string;
  label: string;
}

interface GridProps {
  label: string;
  rows: Square[][];
  /** The first number under the columns, if they are numbered. */
  counted?: number;
  press(row: number, column: number, key?: string): void;
}

function Grid({ label, rows, counted, press }: GridProps) {
  const frame = useRef<HTMLDivElement>(null);
  const places = useRef<[number, number]>([0, 0]);
  const focus = (row: number, column: number) => {
    places.current = [row, column];
    frame.current?.querySelector<HTMLButtonElement>(`[data-place="${row} ${column}"]`)?.focus();
  };
  const [atRow, atColumn] = [Math.min(places.current[0], rows.length - 1), Math.min(places.current[1], (rows[0]?.length ?? 1) - 1)];
  return (
    <div class="squares" ref={frame} role="group" aria-label={label}>
      {rows.map((squares, row) => (
        <div key={row} class="squares-row">
          {squares.map((square, column) => (
            <button
              key={column}
              type="button"
              class={`toggle ${square.className}`}
              data-place={`${row} ${column}`}
              data-number={counted === undefined ? undefined : column + counted}
              aria-label={square.label}
              tabIndex={row === atRow && column === atColumn ? 0 : -1}
              onFocus={() => (places.current = [row, column])}
              onClick={() => press(row, column)}
              onKeyDown={(event) => {
                const direction = DIRECTIONS[event.key];
                if (direction) focus(Math.max(0, Math.min(rows.length - 1, row + direction[1])), Math.max(0, Math.min(squares.length - 1, column + direction[0])));
                else if (event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey) press(row, column, event.key);
                else return;
                event.preventDefault();
                event.stopPropagation();
              }}
            >
              <span aria-hidden="true">{square.sign}</span>
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}

interface Props {
  call: Call;
  change(call: Call): void;
}

const CLASSES: Record<string, string> = { "#": "blocked", X: "cross", O: "nought", T: "left", F: "right", L: "left", R: "right", E: "either", "1": "pin", "0": "gap", ".": "free" };
const SIGNS: Record<string, string> = { ".": "", "0": "", "#": "", "1": "●" };

/** A board whose squares hold letters. */
export function Letters({ call, change, letters, single }: Props & { letters: string; single: boolean }) {
  const { say } = usePage();
  const rows = rowsIn(call.args[0]?.value) ?? [];
  const width = [...(rows[0] ?? "")].length;
  const write = (next: string[]) => {
    const value = single ? text(next[0] ?? "") : list(next.map(text));
    change({ ...call, args: call.args.map((argument, index) => (index === 0 ? { ...argument, value } : argument)) });
  };
  const press = (row: number, column: number, key?: string) => {
    const now = rows[row]?.[column] ?? "";
    const nextLetter = key === undefined ? letters[(letters.indexOf(now) + 1) % letters.length] : [...letters].find((letter) => letter.toLowerCase() === key.toLowerCase());
    if (nextLetter === undefined) return;
    write(rows.map((line, at) => (at === row ? line.slice(0, column) + nextLetter + line.slice(column + 1) : line)));
  };
  const free = letters[0] ?? ".";
  const setColumns = (next: number) => write(rows.map((line) => line.slice(0, next).padEnd(next, free)));
  const setRows = (next: number) => write(Array.from({ length: next }, (_, index) => rows[index] ?? free.repeat(width)));
  const letterWords = (letter: string) => (letter === "." || letter === "0" ? say("square_free") : letter === "#" ? say("square_blocked") : letter);
  const more = call.args[1]?.value;
  return (
    <div class="editing-board">
      <div class="steppers">
        {!single && (
          <label class="field">
            <span>{say("rows")}</span>
            <Stepper label={say("rows")} value={rows.length} least={1} most={24} change={setRows} />
          </label>
        )}
        <label class="field">
          <span>{say("columns")}</span>
          <Stepper label={say("columns")} value={width} least={1} most={single ? 40 : 24} change={setColumns} />
        </label>
        {call.name === "k_in_a_row" && more?.kind === "number" && (
          <label class="field">
            <span>k</span>
            <Stepper
              label="k"
              value={more.value}
              least={1}
              most={24}
              change={(k) => change({ ...call, args: call.args.map((argument, index) => (index === 1 ? { ...argument, value: number(k) } : argument)) })}
            />
          </label>
        )}
      </div>
      <Grid
        label={say("squares")}
        rows={rows.map((line, row) =>
          [...line].map((letter, column) => ({
            sign: SIGNS[letter] ?? letter,
            className: CLASSES[letter] ?? "free",
            label: say("square_of", { row: row + 1, column: column + 1, what: letterWords(letter) }),
          })),
        )}
        press={press}
      />
      <p class="note">{say("squares_keys", { letters: [...letters].join(" ") })}</p>
    </div>
  );
}

/** A strip with pieces on some squares. */
export function Strip({ call, change, first, most }: Props & { first: number; most: number }) {
  const { say } = usePage();
  const pieces = numbersIn(list(call.args.map((argument) => argument.value))) ?? [];
  const needed = Math.max(7, ...pieces) - first + 1;
  const length = Math.min(40, needed + 2);
  const counts = Array.from({ length }, (_, index) => pieces.filter((piece) => piece === index + first).length);
  const press = (_: number, column: number, key?: string) => {
    const now = counts[column] ?? 0;
    const next = key !== undefined && /^\d$/.test(key) ? Math.min(Number(key), most) : (now + 1) % (Math.min(most, 3) + 1);
    const all = counts.flatMap((count, index) => Array.from({ length: index === column ? next : count }, () => index + first));
    change({ ...call, args: all.map((piece) => ({ value: number(piece) })) });
  };
  return (
    <div class="editing-board">
      <Grid
        label={say("squares")}
        counted={first}
        rows={[
          counts.map((count, index) => ({
            sign: count > 3 ? String(count) : "●".repeat(count),
            className: count > 0 ? "coin" : "free",
            label: say("strip_square", { square: index + first, count }),
          })),
        ]}
        press={press}
      />
      <p class="note">{say(most > 1 ? "strip_keys_many" : "strip_keys")}</p>
    </div>
  );
}

/** A chocolate bar, in which no row is longer than the one above it. */
export function Bar({ call, change }: Props) {
  const { say } = usePage();
  const rows = numbersIn(list(call.args.map((argument) => argument.value))) ?? [];
  const [tall, wide] = [Math.min(24, Math.max(rows.length + 1, 4)), Math.min(24, Math.max(...rows, 0) + 1)];
  const press = (row: number, column: number) => {
    const full = (rows[row] ?? 0) > column;
    const length = full ? column : column + 1;
    const next = Array.from({ length: tall }, (_, index) => {
      const now = rows[index] ?? 0;
      return full ? (index >= row ? Math.min(now, length) : now) : index <= row ? Math.max(now, length) : now;
    }).filter((now) => now > 0);
    change({ ...call, args: (next.length > 0 ? next : [1]).map((now) => ({ value: number(now) })) });
  };
  return (
    <div class="editing-board">
      <Grid
        label={say("squares")}
        rows={Array.from({ length: tall }, (_, row) =>
          Array.from({ length: wide }, (_, column) => {
            const there = (rows[row] ?? 0) > column;
            return {
              sign: there && row + column === 0 ? "☠" : "",
              className: there ? "bar" : "gone",
              label: say("square_of", { row: row + 1, column: column + 1, what: say(there ? "square_bar" : "square_free") }),
            };
          }),
        )}
        press={press}
      />
      <p class="note">{say("bar_keys")}</p>
    </div>
  );
}
