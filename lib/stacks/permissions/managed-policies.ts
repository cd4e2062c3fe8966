import * as iam from "aws-cdk-lib/aws-iam";
import { type Construct, Dependable, type IDependable } from "constructs";
import { acknowledgeWildcard } from "../acknowledge-findings.ts";
import type { Permission } from "../policy-statements.ts";
import { maxPolicySize } from "./policy-size.ts";

/** Maximum size of a managed policy without white space (IAM User Guide, "IAM and AWS STS quotas"). */
const MAX_POLICY_CHARACTERS = 6_144;
const EMPTY_DOCUMENT_CHARACTERS = '{"Version":"2012-10-17","Statement":[]}'.length;

/**
 * The permissions of one role, split over managed policies within IAM's size limit. A dependency on it is a dependency
 * on all policies. Their construct ids are `Policy`, `Policy2`, `Policy3` ...
 */
export class ManagedPolicies implements IDependable {
  readonly #scope: Construct;
  readonly #role: iam.IRole;
  readonly #parts: iam.ManagedPolicy[] = [];
  /** Maximum size of the last policy after its references are resolved. */
  #size = EMPTY_DOCUMENT_CHARACTERS;

  constructor(scope: Construct, role: iam.IRole) {
    this.#scope = scope;
    this.#role = role;
    const parts = this.#parts;
    Dependable.implement(this, {
      get dependencyRoots() {
        return [...parts];
      },
    });
  }

  /** Adds statements in their order. A statement is never split. Acknowledges each wildcard on the policy with it. */
  add(permissions: readonly Permission[]): void {
    for (const { statement, wildcardReason } of permissions) {
      const size = maxPolicySize(this.#scope, statement.toStatementJson()) + ",".length;
      const last = this.#parts.at(-1);
      const hasRoom = last !== undefined && this.#size + size <= MAX_POLICY_CHARACTERS;
      const part = hasRoom ? last : this.#newPart();
      part.addStatements(statement);
      this.#size += size;
      if (wildcardReason === undefined) continue;
      for (const resource of statement.resources) acknowledgeWildcard(part, wildcardReason, resource);
    }
  }

  #newPart(): iam.ManagedPolicy {
    const place = this.#parts.length + 1;
    const part = new iam.ManagedPolicy(this.#scope, place === 1 ? "Policy" : `Policy${place}`, { roles: [this.#role] });
    this.#parts.push(part);
    this.#size = EMPTY_DOCUMENT_CHARACTERS;
    return part;
  }
}
