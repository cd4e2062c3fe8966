/**
 * The name of a component of the OpenAPI document: a name as the wire writes it, as types are written, and what it is.
 *
 * @example componentName("menstrual_cycle", "Summary") // "MenstrualCycleSummary"
 */
export function componentName(wireName: string, kind: string): string {
  return wireName.replaceAll(/(?:^|_)(.)/g, (_, first: string) => first.toUpperCase()) + kind;
}
