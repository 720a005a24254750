// What is wrong with a question, or what kept its answer back.
import type { Place, Trouble } from "./answers.ts";

/** An error as the contract has it: its kind, its sentence, and where it is. */
export class GrundyError extends Error {
  override readonly name = "GrundyError";
  /** `syntax`, `unknown_name`, `range`, `limit` and so on; `internal` where it is a defect. */
  readonly kind: string;
  /** Where it is, in the question or in the text of the rules. */
  readonly place: Place | null;
  /** `"rules"` where it is wrong there, not in the question. */
  readonly in: "rules" | undefined;
  /** What to do. */
  readonly help: string | undefined;
  /** The error object itself. */
  readonly trouble: Trouble;

  constructor(trouble: Trouble) {
    super(trouble.message);
    this.trouble = trouble;
    this.kind = trouble.kind;
    this.place = trouble.at ?? null;
    this.in = trouble.in;
    this.help = trouble.help;
  }
}

/** What is wrong, where that is the answer. */
export function troubleIn(answer: unknown): Trouble | null {
  if (typeof answer !== "object" || answer === null || !("error" in answer)) return null;
  return (answer as { error: Trouble }).error;
}
