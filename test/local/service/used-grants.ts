import type { Permission } from "../../../lib/local/front/permission.ts";
import type { LocalCloud } from "../../../lib/local/local-cloud.ts";
import { AskedPermissions } from "../../grants/asked-permissions.ts";
import { covers, type Grant, grantsOf, isOfThePlatform } from "../../grants/grant.ts";
import { STRANGER_HEADER } from "./door-watch.ts";

/**
 * Whether a grant allows reading keys of users or teams. Functions of one process share a key cache for a minute, so a
 * function may find a cached key and not use its grant. The grants drill proves that each needs the grant.
 */
const isRemembered = ({ action, statement: { expected } }: Grant): boolean =>
  ["dynamodb:getitem", "kms:decrypt"].includes(action) &&
  expected.some((value) => ["user_key#*", "team_key#*", "user-keys"].includes(value));

/** Records which grants functions use. */
export class GrantWatch {
  readonly #cloud: LocalCloud;
  readonly #watch: AskedPermissions;
  readonly #asked = new Map<string, { caller: string; permission: Permission }>();

  constructor(cloud: LocalCloud) {
    this.#cloud = cloud;
    this.#watch = new AskedPermissions(cloud, (caller, permission, { headers }) => {
      // A refused request of another tenant does not use a grant.
      if (!headers[STRANGER_HEADER]) this.#asked.set(JSON.stringify([caller, permission]), { caller, permission });
    });
  }

  /** Stops recording. @returns `operation action resource` of each grant of each policy that no function used. */
  unused(): string[] {
    this.#watch.end();
    const byCaller = Map.groupBy(this.#asked.values(), ({ caller }) => caller);
    const isUsed = (grant: Grant) => byCaller.get(grant.caller)?.some(({ permission }) => covers(grant, permission));
    return grantsOf(this.#cloud.policies)
      .filter((grant) => !isOfThePlatform(grant) && !isRemembered(grant) && !isUsed(grant))
      .map(({ operation, action, statement }) => `${operation} ${action} ${statement.resources.join()}`);
  }
}
