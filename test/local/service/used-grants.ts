import type { Permission } from "../../../lib/local/front/permission.ts";
import type { LocalCloud } from "../../../lib/local/local-cloud.ts";
import { AskedPermissions } from "../../grants/asked-permissions.ts";
import { covers, type Grant, grantsOf, isOfThePlatform } from "../../grants/grant.ts";
import { STRANGER_HEADER } from "./door-watch.ts";

/**
 * Whether a grant is to read keys of users or teams. Functions of one process remember them together for a minute, so who
 * has just been told a key by another one does not read it. That each needs the grant shows in the drill of grants.
 */
const isRemembered = ({ action, statement: { expected } }: Grant): boolean =>
  ["dynamodb:getitem", "kms:decrypt"].includes(action) &&
  expected.some((value) => ["user_key#*", "team_key#*", "user-keys"].includes(value));

/** Watches which grants functions use. */
export class GrantWatch {
  readonly #cloud: LocalCloud;
  readonly #watch: AskedPermissions;
  readonly #asked = new Map<string, { caller: string; permission: Permission }>();

  constructor(cloud: LocalCloud) {
    this.#cloud = cloud;
    this.#watch = new AskedPermissions(cloud, (caller, permission, { headers }) => {
      // What a stranger is refused is no use that anybody has of a grant.
      if (!headers[STRANGER_HEADER]) this.#asked.set(JSON.stringify([caller, permission]), { caller, permission });
    });
  }

  /** Stops watching. @returns `operation action resource` of each grant of each policy that nobody used. */
  unused(): string[] {
    this.#watch.end();
    const byCaller = Map.groupBy(this.#asked.values(), ({ caller }) => caller);
    const isUsed = (grant: Grant) => byCaller.get(grant.caller)?.some(({ permission }) => covers(grant, permission));
    return grantsOf(this.#cloud.policies)
      .filter((grant) => !isOfThePlatform(grant) && !isRemembered(grant) && !isUsed(grant))
      .map(({ operation, action, statement }) => `${operation} ${action} ${statement.resources.join()}`);
  }
}
