import type { Permission } from "../../../../../lib/local/aws-proxy/permission.ts";
import type { LocalCloud } from "../../../../../lib/local/local-cloud.ts";
import {
  coversPermission,
  isPlatformGrant,
  listPolicyGrants,
  type PolicyGrant,
} from "../../../../grants/policy-grant.ts";
import { RequestedPermissions } from "../../../../grants/requested-permissions.ts";
import { OTHER_TENANT_HEADER } from "../isolation/function-twins.ts";

/**
 * Whether a grant allows reading keys of users or teams. Functions of one process share a key cache for a minute, so a
 * function may find a cached key and not use its grant. The grants drill proves that each needs the grant.
 */
const readsCachedKey = ({ action, statement: { expected } }: PolicyGrant): boolean =>
  ["dynamodb:getitem", "kms:decrypt"].includes(action) &&
  expected.some((value) => ["user_key#*", "team_key#*", "user-keys"].includes(value));

/** Records which grants functions use. */
export class GrantWatch {
  readonly #cloud: LocalCloud;
  readonly #watch: RequestedPermissions;
  readonly #asked = new Map<string, { caller: string; permission: Permission }>();

  constructor(cloud: LocalCloud) {
    this.#cloud = cloud;
    this.#watch = new RequestedPermissions(cloud, (caller, permission, { headers }) => {
      // A refused request of another tenant does not use a grant.
      if (!headers[OTHER_TENANT_HEADER]) this.#asked.set(JSON.stringify([caller, permission]), { caller, permission });
    });
  }

  /** Stops recording. @returns `operation action resource` of each grant of each policy that no function used. */
  unused(): string[] {
    this.#watch.stop();
    const byCaller = Map.groupBy(this.#asked.values(), ({ caller }) => caller);
    const isUsed = (grant: PolicyGrant) =>
      byCaller.get(grant.caller)?.some(({ permission }) => coversPermission(grant, permission));
    return listPolicyGrants(this.#cloud.policies)
      .filter((grant) => !isPlatformGrant(grant) && !readsCachedKey(grant) && !isUsed(grant))
      .map(({ operation, action, statement }) => `${operation} ${action} ${statement.resources.join()}`);
  }
}
