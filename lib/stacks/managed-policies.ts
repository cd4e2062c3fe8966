import * as iam from "aws-cdk-lib/aws-iam";
import { type Construct, Dependable, type IDependable } from "constructs";
import { longestSize } from "./policy-size.ts";

/** Characters that a managed policy may have, white space not counted (IAM User Guide, "IAM and AWS STS quotas"). */
const MOST_CHARACTERS = 6_144;
const EMPTY_DOCUMENT = '{"Version":"2012-10-17","Statement":[]}'.length;

/**
 * The permissions of one role, in as many managed policies as IAM's limit on their size takes. Whoever depends on it
 * depends on all of them. The first one's id is `Policy`, and the others' are `Policy2`, `Policy3` ...
 */
export class ManagedPolicies implements IDependable {
  readonly #scope: Construct;
  readonly #role: iam.IRole;
  readonly #parts: iam.ManagedPolicy[] = [];
  /** The most characters that the last part may have, when its references are resolved. */
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

  /** Adds statements, each whole, in their order. */
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
