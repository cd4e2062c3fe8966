import validate from "asl-validator";

/**
 * Validates a state machine definition (JSON text) against the full Amazon States Language. The build calls it, not the
 * start: loading the validator takes longer than the rest of a start.
 * @throws Error with the path of every problem.
 */
export function validateDefinition(text: string): void {
  const verdict = validate(JSON.parse(text));
  if (!verdict.isValid) throw new Error(verdict.errorsText());
}
