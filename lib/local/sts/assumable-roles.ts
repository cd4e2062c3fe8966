import * as z from "zod";
import { conditionBlock, type PolicyCondition, parseConditions } from "../aws-proxy/conditions.ts";
import { readRolePolicies } from "../aws-proxy/function-policies.ts";
import { parsePolicy, type Statement } from "../aws-proxy/policy.ts";
import type { ResolvedAssembly } from "../template/read-assembly.ts";
import { ofType } from "../template/resources-of-type.ts";

/** A role that functions may assume. */
export interface AssumableRole {
  readonly arn: string;
  readonly name: string;
  /** Whether its trust policy allows an action of a function with this role, for a session with these tags. */
  trusts(action: string, callerRoleArn: string, tags: Tags): boolean;
  /** The statements of its policies for a session with these tags. */
  statementsFor(tags: Tags): Statement[];
}

/** Session tags by key. */
export type Tags = Readonly<Record<string, string>>;

const oneOrMany = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const trustPolicy = z.object({
  Statement: z.array(
    z.object({
      Effect: z.literal("Allow"),
      Action: oneOrMany,
      Principal: z.object({ AWS: oneOrMany.default([]) }),
      Condition: conditionBlock.default({}),
    }),
  ),
});
const role = z.object({ AssumeRolePolicyDocument: trustPolicy });

/** Reads the roles that trust other roles, by their ARN. @throws Error for an unsupported trust policy. */
export function readAssumableRoles(assembly: ResolvedAssembly): Map<string, AssumableRole> {
  const documents = readRolePolicies(assembly);
  const roles = ofType(assembly, "AWS::IAM::Role", role).map(({ arn = "", name, read }) => {
    const trusted = read.AssumeRolePolicyDocument.Statement.map(({ Condition, ...one }) => ({
      ...one,
      conditions: parseConditions(Condition),
    }));
    return { arn, name, trusted: trusted.filter(({ Principal }) => Principal.AWS.length > 0) };
  });
  const assumable = roles.filter(({ trusted }) => trusted.length > 0);
  return new Map(
    assumable.map(({ arn, name, trusted }) => [
      arn,
      {
        arn,
        name,
        trusts: (action, callerRoleArn, tags) =>
          trusted.some(
            ({ Action, Principal, conditions }) =>
              Action.includes(action) && Principal.AWS.includes(callerRoleArn) && holdFor(conditions, tags),
          ),
        statementsFor: (tags) => (documents.get(arn) ?? []).flatMap((one) => parsePolicy(withTags(one, tags))),
      } satisfies AssumableRole,
    ]),
  );
}

const holdFor = (conditions: readonly PolicyCondition[], tags: Tags) => {
  const context = Object.entries(tags).map(([key, value]) => [`aws:requesttag/${key.toLowerCase()}`, [value]]);
  return conditions.every((holds) => holds(Object.fromEntries(context)));
};

const VARIABLE = /\$\{aws:PrincipalTag\/([^}]+)\}/g;

/**
 * Replaces the policy variables of a document by the tags of a session, which do not change during it. A variable
 * without a tag stays and matches nothing. Values of tags contain no wildcard.
 */
function withTags(document: unknown, tags: Tags): unknown {
  return JSON.parse(
    JSON.stringify(document, (_, value) =>
      typeof value === "string" ? value.replace(VARIABLE, (variable, key) => tags[key] ?? variable) : value,
    ),
  );
}
