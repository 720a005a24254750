// Typeset elements and relations of a quotient: `ab^2`, `a1c = 1`.

type Token = { letter: string; number?: string; power?: string } | { sign: string };

const FACTOR = /([a-z])(\d*)(?:\^(\d+))?|(\d+|=|·)/g;

const tokens = (text: string): Token[] =>
  [...text.matchAll(FACTOR)].map(([, letter, number, power, sign]) =>
    letter === undefined ? { sign: sign ?? "" } : { letter, ...(number ? { number } : {}), ...(power === undefined ? {} : { power }) },
  );

export function Element({ name }: { name: string }) {
  return (
    <math class="typeset" data-value={name}>
      <mrow>{tokens(name).map(typesetToken)}</mrow>
    </math>
  );
}

function typesetToken(token: Token, key: number) {
  if ("sign" in token) return token.sign === "=" ? <mo key={key}>=</mo> : <mn key={key}>{token.sign}</mn>;
  const { letter, number, power } = token;
  const base = <mi>{letter}</mi>;
  if (number !== undefined && power !== undefined) {
    return (
      <msubsup key={key}>
        {base}
        <mn>{number}</mn>
        <mn>{power}</mn>
      </msubsup>
    );
  }
  if (number === undefined && power === undefined) return <mi key={key}>{letter}</mi>;
  const Raised = power === undefined ? "msub" : "msup";
  return (
    <Raised key={key}>
      {base}
      <mn>{power ?? number}</mn>
    </Raised>
  );
}

/** Elements separated by commas, with line breaks between them. */
export function Elements({ names }: { names: string[] }) {
  return (
    <ul class="elements">
      {names.map((name, at) => (
        <li key={at}>
          <Element name={name} />
          {at + 1 < names.length && ","}
        </li>
      ))}
    </ul>
  );
}
