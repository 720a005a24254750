// A form for any call with numbers, lists of numbers, texts and booleans, labelled by its
// signature.
import { allGames, useGames } from "../games/list.ts";
import { usePage } from "../state/page.ts";
import { type Call, type Literal, list, number, numbersIn, text } from "./literal.ts";
import { Stepper } from "./Stepper.tsx";

interface Props {
  call: Call;
  change(call: Call): void;
}

/** Returns the names of the arguments in a signature, and whether the last one is variadic. */
function argumentNames(signature: string): { names: string[]; variadic: boolean } {
  const inside = /\((.*)\)/.exec(signature)?.[1] ?? "";
  let depth = 0;
  const pieces = [...inside]
    .map((letter) => {
      if (letter === "[") depth += 1;
      if (letter === "]") depth -= 1;
      return depth > 0 && letter === "," ? " " : letter;
    })
    .join("")
    .split(",")
    .map((piece) => piece.trim());
  const names = pieces.filter((piece) => piece !== "" && piece !== "...").map((piece) => piece.replace(/=.*|[[\]]|\s*\.\.\./g, "").trim());
  return { names, variadic: inside.includes("...") };
}

export function Form({ call, change }: Props) {
  const { say } = usePage();
  const games = allGames(useGames().answer);
  const signature = games.find((game) => game.name === call.name)?.signature ?? "";
  const { names, variadic } = argumentNames(signature);
  const positional = call.args.filter((argument) => argument.key === undefined);
  const last = positional.at(-1)?.value;
  // If the signature is variadic, numbers can be added and removed at the end.
  const repeated = variadic && last?.kind === "number";
  const required = repeated ? Math.max(1, names.length) : 0;
  const set = (index: number, value: Literal) => change({ ...call, args: call.args.map((argument, at) => (at === index ? { ...argument, value } : argument)) });
  return (
    <div class="editing-form">
      <div class="steppers">
        {call.args.map((argument, index) => {
          const label = argument.key ?? (repeated && index >= names.length - 1 ? say("heap_number", { index: index - names.length + 2 }) : (names[index] ?? say("heap_number", { index: index + 1 })));
          return (
            <div class="field" key={index}>
              <span aria-hidden="true">{label}</span>
              <Value label={label} value={argument.value} change={(value) => set(index, value)} />
            </div>
          );
        })}
      </div>
      {repeated && (
        <div class="explain-bar">
          <button type="button" class="plain" onClick={() => change({ ...call, args: [...call.args, { value: number(1) }] })}>
            {say("heap_add")}
          </button>
          <button type="button" class="plain" disabled={call.args.length <= required} onClick={() => change({ ...call, args: call.args.slice(0, -1) })}>
            {say("heap_remove")}
          </button>
        </div>
      )}
    </div>
  );
}

function Value({ label, value, change }: { label: string; value: Literal; change(value: Literal): void }) {
  const { say } = usePage();
  if (value.kind === "number") return <Stepper label={label} value={value.value} change={(next) => change(number(next))} />;
  if (value.kind === "text") return <input aria-label={label} value={value.value} onInput={(event) => change(text(event.currentTarget.value))} />;
  if (value.kind === "word") {
    return (
      <label class="switch">
        <input type="checkbox" checked={value.value === "True"} onChange={(event) => change({ kind: "word", value: event.currentTarget.checked ? "True" : "False" })} />
        <span>{label}</span>
      </label>
    );
  }
  if (value.kind !== "list") return null;
  const { items } = value;
  const at = (index: number, item: Literal) => change({ ...value, items: items.map((old, place) => (place === index ? item : old)) });
  return (
    <div class="listed">
      {items.map((item, index) => {
        const inner = numbersIn(item);
        const name = `${label} ${index + 1}`;
        return item.kind === "number" ? <Stepper key={index} label={name} value={item.value} change={(next) => at(index, number(next))} />
        : inner ?
            <div key={index} class="listed-row">
              {inner.map((one, place) => (
                <Stepper key={place} label={`${name}, ${place + 1}`} value={one} change={(next) => at(index, { ...item, ...list(inner.map((old, spot) => number(spot === place ? next : old))) })} />
              ))}
            </div>
        : null;
      })}
      <div class="explain-bar">
        <button type="button" class="plain" aria-label={`${label}: ${say("list_add")}`} onClick={() => change({ ...value, items: [...items, items.at(-1) ?? number(1)] })}>
          {say("list_add")}
        </button>
        <button type="button" class="plain" disabled={items.length < 2} aria-label={`${label}: ${say("list_remove")}`} onClick={() => change({ ...value, items: items.slice(0, -1) })}>
          {say("list_remove")}
        </button>
      </div>
    </div>
  );
}
