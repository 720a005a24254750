// A typeset genus, with the digits as exponents: `4^146`, `2^(10)8`.

export function Genus({ text }: { text: string }) {
  const [value = text, digits] = text.split("^");
  return (
    <math class="typeset" data-value={text}>
      {digits === undefined ?
        <mn>{value}</mn>
      : <msup>
          <mn>{value}</mn>
          <mn>{digits}</mn>
        </msup>}
    </math>
  );
}
