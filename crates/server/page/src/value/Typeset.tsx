// A value typeset in MathML, or as text if it is too long.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Piece, parseValue } from "./parseValue.ts";

/**
 * Braces have a fixed height. Preact omits an attribute with the boolean value `false`, hence the
 * string.
 */
const FIXED = { stretchy: "false" } as unknown as { stretchy: boolean };

/**
 * The number of characters above which a value in a narrow place is shown as text, which can wrap.
 */
const MAX_NARROW = 18;

export function Typeset({ text, narrow = false }: { text: string; narrow?: boolean }) {
  const pieces = narrow && text.length > MAX_NARROW ? null : parseValue(text);
  const frame = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const place = frame.current;
    if (!place || narrow) return;
    // Scrollable content must be focusable, so that it can be scrolled with the keyboard.
    if (place.scrollWidth > place.clientWidth) place.tabIndex = 0;
    else place.removeAttribute("tabindex");
  }, [text, narrow]);
  if (!pieces) return <code class="value-text">{text}</code>;
  return (
    <span class="formula" ref={frame}>
      <math class="typeset" data-value={text}>
        <mrow>{pieces.map(typesetPiece)}</mrow>
      </math>
    </span>
  );
}

function typesetPiece(piece: Piece, key: number): ComponentChildren {
  switch (piece.kind) {
    case "number":
      return piece.below === undefined && piece.power === undefined ? <mn key={key}>{piece.above}</mn> : <Fraction key={key} {...piece} />;
    case "sign":
      return (
        <mrow key={key}>
          {piece.over === undefined ? <mi mathvariant="normal">{piece.sign}</mi> : (
            <msup>
              <mi mathvariant="normal">{piece.sign}</mi>
              <mn>{piece.over}</mn>
            </msup>
          )}
          {piece.after !== undefined && <mn>{piece.after}</mn>}
        </mrow>
      );
    case "between":
      return (
        <mo key={key} {...FIXED} {...(piece.text.startsWith("|") ? { lspace: "0.28em", rspace: "0.28em" } : {})}>
          {piece.text}
        </mo>
      );
    case "group":
      return (
        <mrow key={key}>
          <mo {...FIXED}>
            {piece.open}
          </mo>
          {piece.pieces.map(typesetPiece)}
          <mo {...FIXED}>
            {piece.close}
          </mo>
        </mrow>
      );
    case "tiny":
      return (
        <msub key={key}>
          <mi mathvariant="normal">{piece.sign}</mi>
          <mrow>{piece.of.map(typesetPiece)}</mrow>
        </msub>
      );
  }
}

function Fraction({ above, below, power }: { above: string; below?: string; power?: string }) {
  const minus = above.startsWith("−");
  return (
    <mrow>
      {minus && <mo>−</mo>}
      <mfrac>
        <mn>{minus ? above.slice(1) : above}</mn>
        {power === undefined ? <mn>{below}</mn> : (
          <msup>
            <mn>2</mn>
            <mn>{power}</mn>
          </msup>
        )}
      </mfrac>
    </mrow>
  );
}
