import * as z from "zod";
import { type ConditionContext, conditionBlock, type PolicyCondition, parseConditions } from "./conditions.ts";
import { matchesArn, matchesWildcard } from "./wildcard-match.ts";

/** A parsed statement of an identity policy. */
export interface Statement {
  readonly effect: "Allow" | "Deny";
  /** Action patterns in lower case: IAM compares actions case-insensitively. */
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions: readonly PolicyCondition[];
  /** The expected values of all conditions. They distinguish statements on the same resource. */
  readonly expected: readonly string[];
}

/** An authorization request: one action on one or more resources (ARNs), all of which must be allowed. */
export interface PolicyRequest {
  readonly action: string;
  readonly resources: readonly string[];
  readonly context: ConditionContext;
}

const oneOrMany = z.union([z.string().transform((one) => [one]), z.array(z.string())]);

const policyDocument = z.strictObject({
  Version: z.literal("2012-10-17"),
  Statement: z.array(
    z.strictObject({
      Sid: z.string().optional(),
      Effect: z.enum(["Allow", "Deny"]),
      Action: oneOrMany,
      Resource: oneOrMany,
      Condition: conditionBlock.default({}),
    }),
  ),
});

/**
 * Parses an identity policy document.
 * @throws ZodError or Error for an unsupported element or condition operator.
 */
export function parsePolicy(document: unknown): Statement[] {
  return policyDocument.parse(document).Statement.map(({ Effect, Action, Resource, Condition }) => ({
    effect: Effect,
    actions: Action.map((action) => action.toLowerCase()),
    resources: Resource,
    conditions: parseConditions(Condition),
    expected: Object.values(Condition).flatMap((keys) => Object.values(keys).flat()),
  }));
}

/**
 * Whether identity policies allow a request: a statement allows each resource and no statement denies any
 * (IAM user guide, "Policy evaluation logic").
 */
export function isAllowed(statements: readonly Statement[], { action, resources, context }: PolicyRequest): boolean {
  return resources.every((resource) => {
    const about = findStatements(statements, action.toLowerCase(), resource);
    const applying = about.filter(({ conditions }) => conditions.every((holds) => holds(context)));
    return applying.some(({ effect }) => effect === "Allow") && !applying.some(({ effect }) => effect === "Deny");
  });
}

/** Maximum number of cached actions on resources per policy. Only the objects of buckets exceed it. */
const MAX_CACHED_ENTRIES = 200;
const statementCache = new WeakMap<readonly Statement[], Map<string, Statement[]>>();

/** The statements that cover an action on a resource, from a cache. @param action in lower case. */
function findStatements(statements: readonly Statement[], action: string, resource: string): Statement[] {
  const known = statementCache.get(statements) ?? new Map<string, Statement[]>();
  statementCache.set(statements, known);
  const name = `${action} ${resource}`;
  const found = known.get(name) ?? statements.filter((statement) => coversRequest(statement, action, resource));
  if (known.size < MAX_CACHED_ENTRIES) known.set(name, found);
  return found;
}

const coversRequest = ({ actions, resources }: Statement, action: string, resource: string): boolean =>
  actions.some((pattern) => matchesWildcard(pattern, action)) &&
  resources.some((pattern) => matchesArn(pattern, resource));
