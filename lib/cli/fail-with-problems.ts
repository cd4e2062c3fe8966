import type { Outcome } from "./frame/declaration.ts";
import type { Session } from "./frame/session.ts";

const MAX_SHOWN = 50;

/** Prints the problems of an input file, each with its line. @returns the outcome of a command that changed nothing. */
export function failWithProblems(problems: readonly string[], session: Session): Outcome {
  session.note(problems.slice(0, MAX_SHOWN).join("\n"));
  if (problems.length > MAX_SHOWN) session.note(`... and ${problems.length - MAX_SHOWN} more.`);
  session.note(`Nothing was changed: ${problems.length} problems.`);
  return { isOk: false, data: { problems } };
}
