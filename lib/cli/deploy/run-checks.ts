/** Result of a check: ok, a problem with instructions, or unknown with a reason. */
export interface CheckResult {
  readonly state: "ok" | "problem" | "unknown";
  /** One line for a person. */
  readonly message: string;
}

/** A check of a prerequisite of a deployment. */
export interface Check {
  readonly label: string;
  run(): CheckResult | Promise<CheckResult>;
}

export const ok = (says: string): CheckResult => ({ state: "ok", message: says });
export const problem = (says: string): CheckResult => ({ state: "problem", message: says });
export const unknown = (says: string): CheckResult => ({ state: "unknown", message: says });

/** Runs checks in order. A check that throws is reported as unknown and does not stop the others. */
export async function runChecks(
  checks: readonly Check[],
  report: (about: string, result: CheckResult) => void,
): Promise<{ readonly problems: number }> {
  let problems = 0;
  for (const check of checks) {
    const result = await Promise.resolve()
      .then(() => check.run())
      .catch((error: unknown) => unknown(`the check failed: ${error instanceof Error ? error.message : error}`));
    report(check.label, result);
    if (result.state === "problem") problems += 1;
  }
  return { problems };
}
