import { consolePathOf, isOnMainApiToo } from "../../lib/contract/console/console-path.ts";
import type { Auth } from "../../lib/contract/endpoint.ts";
import { type FuzzTarget, listFuzzTargets } from "../fuzz/fuzz-world.ts";
import type { TestService } from "../support/service.ts";

/** The kinds of authentication that require a credential. */
export type GuardedAuth = Exclude<Auth, "none">;

/** A route that requires a credential, at one of its paths. */
export interface AttackTarget extends FuzzTarget {
  /** The kind of credential that opens the route at this path. */
  readonly auth: GuardedAuth;
}

/** Lists every route that requires a credential, also at the paths where sessions of the console call it. */
export function listAttackTargets(service: TestService): AttackTarget[] {
  return listFuzzTargets(service).flatMap((target): AttackTarget[] => {
    const { contract } = target;
    const { auth } = contract;
    if (auth === "none") return [];
    const inConsole = { ...target, path: consolePathOf(contract), auth: "console" as const };
    return [{ ...target, auth }, ...(isOnMainApiToo(contract) ? [inConsole] : [])];
  });
}
