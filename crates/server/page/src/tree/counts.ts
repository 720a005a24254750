// Formatting of large numbers.

/** Formats an integer of any size with grouped digits; a very long one in scientific notation. */
export function counted(value: number | bigint | string | null | undefined, lang: string, unknown: string): string {
  if (value === null || value === undefined) return unknown;
  const digits = String(value);
  if (!/^\d+$/.test(digits)) return digits;
  if (digits.length <= 15) return Number(digits).toLocaleString(lang);
  const power = [...String(digits.length - 1)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
  return `≈ ${digits[0]}.${digits.slice(1, 3)} · 10${power}`;
}
