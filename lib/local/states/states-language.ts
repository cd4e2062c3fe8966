import validate from "asl-validator";

/**
 * Checks a state machine definition (JSON text) against the whole of the States Language. Done once a build: the
 * validator takes longer to load than all else of a start together.
 * @throws Error that names every place which is not valid.
 */
export function checkDefinition(text: string): void {
  const verdict = validate(JSON.parse(text));
  if (!verdict.isValid) throw new Error(verdict.errorsText());
}
