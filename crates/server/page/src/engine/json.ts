// JSON with integers beyond 2^53, which are parsed as bigint.

/** An integer of any size. */
export type Whole = number | bigint;

const MARK = "\u0000whole:";

/** Returns the text with every unsafe integer outside strings replaced by a marked string. */
function markLargeIntegers(text: string): string {
  let result = "";
  let from = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at += 1;
      while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
      at += 1;
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      let end = at + 1;
      while (/[0-9.eE+-]/.test(text[end] ?? "")) end += 1;
      const number = text.slice(at, end);
      if (/^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number))) {
        result += text.slice(from, at) + JSON.stringify(MARK + number);
        from = end;
      }
      at = end;
    } else {
      at += 1;
    }
  }
  return result + text.slice(from);
}

/** Parses JSON without loss of digits. */
export function parseJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(markLargeIntegers(text), (_, value: unknown) =>
    typeof value === "string" && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
  );
}

/** Serializes JSON without loss of digits. */
export function writeJson(value: unknown): string {
  let hasBigints = false;
  const text = JSON.stringify(value, (_, value: unknown) => {
    if (typeof value !== "bigint") return value;
    hasBigints = true;
    return MARK + value;
  });
  // A request may contain a long file, so the text is searched only if it has bigints.
  return hasBigints ? text.replace(/"\\u0000whole:(-?\d+)"/g, "$1") : text;
}
