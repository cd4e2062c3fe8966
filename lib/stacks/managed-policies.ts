import * as iam from "aws-cdk-lib/aws-iam";
import { type Construct, Dependable, type IDependable } from "constructs";
import { longestSize } from "./policy-size.ts";

/** Maximum size of a managed policy without white space (IAM User Guide, "IAM and AWS STS quotas"). */
const MOST_CHARACTERS = 6_144;
const EMPTY_DOCUMENT = '{"Version":"2012-10-17","Statement":[]}'.length;

/**
 * The permissions of one role, split over managed policies within IAM's size limit. A dependency on it is a dependency
 * on all policies. Their construct ids are `Policy`, `Policy2`, `Policy3` ...
 */
export class ManagedPolicies implements IDependable {
  readonly #scope: Construct;
  readonly #role: iam.IRole;
  readonly #parts: iam.ManagedPolicy[] = [];
  /** Maximum size of the last policy after its references are resolved. */
  #size = EMPTY_DOCUMENT;

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

  /** Adds statements in their order. A statement is never split. */
  add(statements: readonly iam.PolicyStatement[]): void {
    for (const statement of statements) {
      const size = longestSize(this.#scope, statement.toStatementJson()) + ",".length;
      const last = this.#parts.at(-1);
      const hasRoom = last !== undefined && this.#size + size <= MOST_CHARACTERS;
      const part = hasRoom ? last : this.#newPart();
      part.addStatements(statement);
      this.#size += size;
    }
  }

  #newPart(): iam.ManagedPolicy {
    const place = this.#parts.length + 1;
    const part = new iam.ManagedPolicy(this.#scope, place === 1 ? "Policy" : `Policy${place}`, { roles: [this.#role] });
    this.#parts.push(part);
    this.#size = EMPTY_DOCUMENT;
    return part;
  }
}
