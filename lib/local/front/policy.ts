import * as z from "zod";
import { type Condition, type ConditionContext, conditionBlock, parseConditions } from "./conditions.ts";
import { matchesArn, matchesPattern } from "./patterns.ts";

/** One statement of an identity policy, ready for evaluation. */
export interface Statement {
  readonly effect: "Allow" | "Deny";
  /** Action patterns in lower case, because actions are compared without regard to case. */
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions: readonly Condition[];
  /** The values that its conditions ask for, as written, which tell statements on one resource apart. */
  readonly expected: readonly string[];
}

/** What a policy is asked: one action on one or more resources (ARNs), all of which must be allowed. */
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
 * The statements of an identity policy document.
 * @throws ZodError or Error for an element or condition operator that this evaluation does not know.
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
 * Whether identity policies allow a request: some statement allows each resource and none denies any
 * (IAM user guide, "Policy evaluation logic").
 */
export function isAllowed(statements: readonly Statement[], { action, resources, context }: PolicyRequest): boolean {
  return resources.every((resource) => {
    const about = statementsAbout(statements, action.toLowerCase(), resource);
    const applying = about.filter(({ conditions }) => conditions.every((holds) => holds(context)));
    return applying.some(({ effect }) => effect === "Allow") && !applying.some(({ effect }) => effect === "Deny");
  });
}

/** So many actions on resources are remembered for one policy; only objects of buckets are more. */
const MOST_REMEMBERED = 200;
const remembered = new WeakMap<readonly Statement[], Map<string, Statement[]>>();

/** The statements about an action on a resource, which are always the same. @param action in lower case. */
function statementsAbout(statements: readonly Statement[], action: string, resource: string): Statement[] {
  const known = remembered.get(statements) ?? new Map<string, Statement[]>();
  remembered.set(statements, known);
  const name = `${action} ${resource}`;
  const found = known.get(name) ?? statements.filter((statement) => isAbout(statement, action, resource));
  if (known.size < MOST_REMEMBERED) known.set(name, found);
  return found;
}

const isAbout = ({ actions, resources }: Statement, action: string, resource: string): boolean =>
  actions.some((pattern) => matchesPattern(pattern, action)) &&
  resources.some((pattern) => matchesArn(pattern, resource));
