import { createHash } from "node:crypto";
import { type Permission, toConditionContext } from "../../lib/local/aws-proxy/permission.ts";
import type { Statement } from "../../lib/local/aws-proxy/policy.ts";
import { matchesArn } from "../../lib/local/aws-proxy/wildcard-match.ts";
import { operationOf } from "../faults/invocation.ts";

/** The policy statements of each function, by its physical name. */
export type FunctionPolicies = ReadonlyMap<string, readonly Statement[]>;

/** One action that one statement of a function's policy allows. */
export interface PolicyGrant {
  /** Physical name of the function. */
  readonly caller: string;
  readonly operation: string;
  /** In lower case. */
  readonly action: string;
  readonly statement: Statement;
}

/** Actions that Lambda itself performs with the function's role: logs, traces, reads of queues and streams. */
const PLATFORM_ACTIONS =
  /^(logs:|xray:|sqs:(receive|delete|getqueue)|dynamodb:(describestream|get(records|sharditerator)|liststreams))/;
/** Resources that Lambda uses with them: the dead-letter queue of failed runs, and the key of an encrypted stream. */
const PLATFORM_GRANTS = /^relayEvents kms:decrypt|sqs:sendmessage .*Missed/;

/** All grants of all functions, in the order of their policies. */
export const listPolicyGrants = (policies: FunctionPolicies): PolicyGrant[] =>
  [...policies].flatMap(([caller, statements]) =>
    statements.flatMap((statement) =>
      statement.actions.map((action) => ({ caller, operation: operationOf(caller), action, statement })),
    ),
  );

/** Whether Lambda uses a grant before or after the function's code runs, so that no request of the code needs it. */
export const isPlatformGrant = ({ operation, action, statement }: PolicyGrant): boolean =>
  PLATFORM_ACTIONS.test(action) || PLATFORM_GRANTS.test(`${operation} ${action} ${statement.resources.join()}`);

/** Describes a grant for people: operation, action, resource and keys. */
export function describeGrant({ operation, action, statement: { resources, expected } }: PolicyGrant): string {
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
export function coversPermission({ action, statement }: PolicyGrant, asked: Permission): boolean {
  const context = toConditionContext(asked);
  return (
    asked.action.toLowerCase() === action &&
    statement.resources.some((pattern) => matchesArn(pattern, asked.resource)) &&
    statement.conditions.every((holds) => holds(context))
  );
}

/** The function's policy without one grant. */
export const withoutGrant = (statements: readonly Statement[], { action, statement }: PolicyGrant): Statement[] =>
  statements.map((one) =>
    one === statement ? { ...one, actions: one.actions.filter((other) => other !== action) } : one,
  );

/** Draws `count` grants. The same seed gives the same grants. */
export function sampleGrants(grants: readonly PolicyGrant[], count: number, seed: number): PolicyGrant[] {
  const rank = (grant: PolicyGrant) =>
    createHash("sha256")
      .update(`${seed} ${describeGrant(grant)}`)
      .digest("hex");
  const ranked = grants.map((grant) => ({ grant, rank: rank(grant) }));
  return ranked
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ grant }) => grant);
}
