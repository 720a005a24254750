// Text from the engine, in which backticks mark notation.

export function NotationText({ text }: { text: string }) {
  const parts = text.split(/`([^`]*)`/);
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}
