// Large numbers so that they can be read.

/** A whole number of any size, with its digits in groups; very long ones by their first digits and a power of ten. */
export function counted(value: number | bigint | string | null | undefined, lang: string, unknown: string): string {
  if (value === null || value === undefined) return unknown;
  const digits = String(value);
  if (!/^\d+$/.test(digits)) return digits;
  if (digits.length <= 15) return Number(digits).toLocaleString(lang);
  const power = [...String(digits.length - 1)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
  return `≈ ${digits[0]}.${digits.slice(1, 3)} · 10${power}`;
}
