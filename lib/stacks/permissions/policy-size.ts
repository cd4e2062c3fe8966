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
} from "aws-cdk-lib/core";
import type { Construct } from "constructs";

/** Length of the longest ARN prefix before a resource name. */
const MAX_ARN_PREFIX_LENGTH = "arn:aws-us-gov:dynamodb:us-gov-west-1:111122223333:stateMachine:".length;
/** Length that CloudFormation adds to a generated name of stack name and logical id: two hyphens and a suffix. */
const MAX_NAME_SUFFIX_LENGTH = 15;
const UUID_LENGTH = 36;

/** The longest values of pseudo parameters in all partitions. */
const pseudoParameters: Readonly<Record<string, string>> = {
  "AWS::AccountId": "111122223333",
  "AWS::Partition": "aws-us-gov",
  "AWS::Region": "ap-southeast-1",
  "AWS::URLSuffix": "amazonaws.com.cn",
};

/** Replaces every reference by text of its maximum length. */
class LongestValueResolver extends DefaultTokenResolver {
  constructor() {
    super(new StringConcat());
  }

  override resolveToken(token: IResolvable, context: IResolveContext, postProcessor: IPostProcessor): unknown {
    if (Reference.isReference(token) && CfnElement.isCfnElement(token.target)) return longestArn(token.target);
    const value: unknown = super.resolveToken(token, context, postProcessor);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? pseudoValue(value) : value;
  }
}

/**
 * Maximum size of a part of a policy on AWS, in characters without white space. Generated names count with their
 * maximum length, because they are unknown before a deployment. @throws Error for a value of unknown length.
 */
export function maxPolicySize(scope: Construct, part: unknown): number {
  const resolved = Tokenization.resolve(part, { scope, resolver: new LongestValueResolver(), preparing: false });
  return JSON.stringify(resolved).replaceAll(/\s/g, "").length;
}

function longestArn(target: CfnElement): string {
  const stack = Stack.of(target);
  const name = stack.stackName.length + stack.getLogicalId(target).length + MAX_NAME_SUFFIX_LENGTH;
  return "x".repeat(MAX_ARN_PREFIX_LENGTH + Math.max(name, UUID_LENGTH));
}

function pseudoValue(value: object): string {
  const found = "Ref" in value ? pseudoParameters[String(value.Ref)] : undefined;
  if (found === undefined) throw new Error(`the maximum length of ${JSON.stringify(value)} is unknown`);
  return found;
}
