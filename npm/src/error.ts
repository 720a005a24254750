// Errors in requests, and errors that prevented an answer.
import type { Place, Trouble } from "./answers.ts";

/** An error: its kind, its message and its location. */
export class GrundyError extends Error {
  override readonly name = "GrundyError";
  /**
   * The kind, such as `syntax`, `unknown_name`, `range` or `limit`; `internal` is a defect of the
   * engine.
   */
  readonly kind: string;
  /** The location in the request or in the text of the rules. */
  readonly place: Place | null;
  /** `"rules"` if the location is in the rules, not in the request. */
  readonly in: "rules" | undefined;
  /** A suggestion. */
  readonly help: string | undefined;
  /** The JSON error. */
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

/** Returns the error in an answer, or `null`. */
export function troubleIn(answer: unknown): Trouble | null {
  if (typeof answer !== "object" || answer === null || !("error" in answer)) return null;
  return (answer as { error: Trouble }).error;
}
