/**
 * Returns the name of an OpenAPI component: the wire name in PascalCase, followed by `kind`.
 * @example componentName("menstrual_cycle", "Summary") // "MenstrualCycleSummary"
 */
export function componentName(wireName: string, kind: string): string {
  return wireName.replaceAll(/(?:^|_)(.)/g, (_, first: string) => first.toUpperCase()) + kind;
}
