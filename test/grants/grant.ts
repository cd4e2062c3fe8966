import { createHash } from "node:crypto";
import { matchesArn } from "../../lib/local/front/patterns.ts";
import { conditionContext, type Permission } from "../../lib/local/front/permission.ts";
import type { Statement } from "../../lib/local/front/policy.ts";
import { operationOf } from "../faults/invocation.ts";

/** The policy statements of each function, by its physical name. */
export type Policies = ReadonlyMap<string, readonly Statement[]>;

/** One action that one statement of a function's policy allows. */
export interface Grant {
  /** Physical name of the function. */
  readonly caller: string;
  readonly operation: string;
  /** In lower case. */
  readonly action: string;
  readonly statement: Statement;
}

/** Actions that Lambda itself performs with the function's role: logs, traces, reads of queues and streams. */
const OF_THE_PLATFORM =
  /^(logs:|xray:|sqs:(receive|delete|getqueue)|dynamodb:(describestream|get(records|sharditerator)|liststreams))/;
/** Resources that Lambda uses with them: the dead-letter queue of failed runs, and the key of an encrypted stream. */
const BY_THE_PLATFORM = /^relayEvents kms:decrypt|sqs:sendmessage .*Missed/;

/** All grants of all functions, in the order of their policies. */
export const grantsOf = (policies: Policies): Grant[] =>
  [...policies].flatMap(([caller, statements]) =>
    statements.flatMap((statement) =>
      statement.actions.map((action) => ({ caller, operation: operationOf(caller), action, statement })),
    ),
  );

/** Whether Lambda uses a grant before or after the function's code runs, so that no request of the code needs it. */
export const isOfThePlatform = ({ operation, action, statement }: Grant): boolean =>
  OF_THE_PLATFORM.test(action) || BY_THE_PLATFORM.test(`${operation} ${action} ${statement.resources.join()}`);

/** Describes a grant for people: operation, action, resource and keys. */
export function nameOf({ operation, action, statement: { resources, expected } }: Grant): string {
  const about = resources.map((arn) =>
    arn
      .split(":")
      .slice(5)
      .join(":")
      .replace(/^table\//, ""),
  );
  return [operation, action, about.join(), expected.join()].filter(Boolean).join(" ");
}

/** Whether a grant alone allows a permission. */
export function covers({ action, statement }: Grant, asked: Permission): boolean {
  const context = conditionContext(asked);
  return (
    asked.action.toLowerCase() === action &&
    statement.resources.some((pattern) => matchesArn(pattern, asked.resource)) &&
    statement.conditions.every((holds) => holds(context))
  );
}

/** The function's policy without one grant. */
export const without = (statements: readonly Statement[], { action, statement }: Grant): Statement[] =>
  statements.map((one) =>
    one === statement ? { ...one, actions: one.actions.filter((other) => other !== action) } : one,
  );

/** Draws `count` grants. The same seed gives the same grants. */
export function drawn(grants: readonly Grant[], count: number, seed: number): Grant[] {
  const rank = (grant: Grant) =>
    createHash("sha256")
      .update(`${seed} ${nameOf(grant)}`)
      .digest("hex");
  const ranked = grants.map((grant) => ({ grant, rank: rank(grant) }));
  return ranked
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ grant }) => grant);
}
