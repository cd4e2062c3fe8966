import {
  CfnElement,
  DefaultTokenResolver,
  type IPostProcessor,
  type IResolvable,
  type IResolveContext,
  Reference,
  Stack,
  StringConcat,
  Tokenization,
  Validations,
} from "aws-cdk-lib/core";
import type { Construct } from "constructs";

/**
 * Accepts findings of cdk-nag on the resource of a construct. Call it where the construct is created; see
 * docs/decisions/0002-acknowledged-findings.md.
 * @param reason one sentence, for a review of the security.
 */
export function acknowledgeFindings(construct: Construct, reason: string, ...rules: readonly string[]): void {
  const resource = construct.node.defaultChild ?? construct;
  Validations.of(resource).acknowledge(...rules.map((id) => ({ id, reason })));
}

/** Accepts that a policy allows its actions on `resource`, which contains a `*`. */
export function acknowledgeWildcard(policy: Construct, reason: string, resource: string): void {
  acknowledgeFindings(policy, reason, `AwsSolutions-IAM5[Resource::${findingText(policy, resource)}]`);
}

/** Replaces references by text as cdk-nag does (its utils/flatten-cfn-reference.ts). */
class FindingTextResolver extends DefaultTokenResolver {
  constructor() {
    super(new StringConcat());
  }

  override resolveToken(token: IResolvable, context: IResolveContext, postProcessor: IPostProcessor): unknown {
    if (Reference.isReference(token) && isInOtherStack(token, context)) return exportName(token);
    const value: unknown = super.resolveToken(token, context, postProcessor);
    if (typeof value !== "object" || value === null) return value;
    if ("Ref" in value) return `<${value.Ref}>`;
    throw new Error(`the text of ${JSON.stringify(value)} in a finding is unknown`);
  }
}

/**
 * Text of a policy's resource in the findings of cdk-nag. A resource of another stack has the name of its export there.
 * @throws Error for a value that policies do not need yet, such as an attribute of a resource of the same stack.
 */
function findingText(scope: Construct, resource: string): string {
  return Tokenization.resolve(resource, { scope, resolver: new FindingTextResolver(), preparing: false });
}

const isInOtherStack = ({ target }: Reference, { scope }: IResolveContext) =>
  CfnElement.isCfnElement(target) && Stack.of(target) !== Stack.of(scope);

/** Name of the export of a reference. It exports the reference, as the policy that contains the reference does later. */
function exportName(reference: Reference): string {
  const stack = Stack.of(reference.target);
  return stack.resolve(stack.exportValue(reference))["Fn::ImportValue"];
}
