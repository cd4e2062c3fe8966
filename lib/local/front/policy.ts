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
  }));
}

/**
 * Whether identity policies allow a request: some statement allows each resource and none denies any
 * (IAM user guide, "Policy evaluation logic").
 */
export function isAllowed(statements: readonly Statement[], request: PolicyRequest): boolean {
  return request.resources.every((resource) => {
    const effects = statements.filter((statement) => applies(statement, request, resource)).map(({ effect }) => effect);
    return effects.includes("Allow") && !effects.includes("Deny");
  });
}

function applies(statement: Statement, { action, context }: PolicyRequest, resource: string): boolean {
  return (
    statement.actions.some((pattern) => matchesPattern(pattern, action.toLowerCase())) &&
    statement.resources.some((pattern) => matchesArn(pattern, resource)) &&
    statement.conditions.every((holds) => holds(context))
  );
}
