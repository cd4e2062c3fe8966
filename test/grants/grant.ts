import { createHash } from "node:crypto";
import { matchesArn } from "../../lib/local/front/patterns.ts";
import { conditionContext, type Permission } from "../../lib/local/front/permission.ts";
import type { Statement } from "../../lib/local/front/policy.ts";
import { operationOf } from "../faults/invocation.ts";

/** What each function may do, by its physical name. */
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

/** Actions that Lambda itself performs with the role of a function (logs, traces, reading of queues and streams). */
const OF_THE_PLATFORM =
  /^(logs:|xray:|sqs:(receive|delete|getqueue)|dynamodb:(describestream|get(records|sharditerator)|liststreams))/;
/** What Lambda reaches with them: the queue for what a function failed at for good, the key of an encrypted stream. */
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

/** A grant as people read it: operation, action, what it is about, and with which keys. */
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

/** Whether a grant allows something, whatever other grants do. */
export function covers({ action, statement }: Grant, asked: Permission): boolean {
  const context = conditionContext(asked);
  return (
    asked.action.toLowerCase() === action &&
    statement.resources.some((pattern) => matchesArn(pattern, asked.resource)) &&
    statement.conditions.every((holds) => holds(context))
  );
}

/** The policy that is left of a function's when just one grant is taken out of it. */
export const without = (statements: readonly Statement[], { action, statement }: Grant): Statement[] =>
  statements.map((one) =>
    one === statement ? { ...one, actions: one.actions.filter((other) => other !== action) } : one,
  );

/** So many of the grants, the same ones for the same seed. */
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
