/**
 * Findings of the tests of formats that are no incompatibility, each with the reason. Keeping the next version empties
 * the list.
 */
const acceptedChanges: Readonly<Record<string, string>> = {};

/** Removes the accepted findings. */
export const withoutAccepted = (findings: readonly string[]): string[] =>
  findings.filter((finding) => acceptedChanges[finding] === undefined);
