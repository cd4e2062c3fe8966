/** What became of one check: fine, a problem with what to do about it, or not asked and why. */
export interface CheckResult {
  readonly state: "ok" | "problem" | "unknown";
  /** One line for a person. */
  readonly says: string;
}

/** One thing that a deployment depends on. */
export interface Check {
  readonly about: string;
  run(): CheckResult | Promise<CheckResult>;
}

export const ok = (says: string): CheckResult => ({ state: "ok", says });
export const problem = (says: string): CheckResult => ({ state: "problem", says });
export const unknown = (says: string): CheckResult => ({ state: "unknown", says });

/** Runs checks in their order; one that breaks says so and lets the others go on. */
export async function runChecks(
  checks: readonly Check[],
  report: (about: string, result: CheckResult) => void,
): Promise<{ readonly problems: number }> {
  let problems = 0;
  for (const check of checks) {
    const result = await Promise.resolve()
      .then(() => check.run())
      .catch((error: unknown) => unknown(`could not be checked: ${error instanceof Error ? error.message : error}`));
    report(check.about, result);
    if (result.state === "problem") problems += 1;
  }
  return { problems };
}
