import { callAws } from "./command.ts";
import { compareSamples, type runDataStory } from "./data-story.ts";
import type { Deployment } from "./deployment.ts";
import { until } from "./steps.ts";

/** The ARN of a key that a stack has created. */
async function findKeyArn(name: string, constructId: string): Promise<string> {
  const { StackResources } = await callAws("cloudformation", "DescribeStackResources", { StackName: `${name}-Data` });
  const key = StackResources.find(
    (one: { ResourceType: string; LogicalResourceId: string }) =>
      one.ResourceType === "AWS::KMS::Key" && one.LogicalResourceId.startsWith(constructId),
  );
  const { KeyMetadata } = await callAws("kms", "DescribeKey", { KeyId: key.PhysicalResourceId });
  return KeyMetadata.Arn;
}

/** The options of a command that name the keys of a deployment. */
export const keyArguments = async (name: string): Promise<string[]> => [
  ...["--data-key", await findKeyArn(name, "DataKey")],
  ...["--webhook-secrets-key", await findKeyArn(name, "WebhookSecretsKey")],
  ...["--credentials-key", await findKeyArn(name, "CredentialsKey")],
];

/** Waits until another deployment knows the key of a team, and compares the samples that it returns. */
export async function readAll(
  deployment: Deployment,
  user: Awaited<ReturnType<typeof runDataStory>>,
  api: string,
): Promise<void> {
  await until("the key is known", async () => {
    if ((await deployment.request("GET", `${api}/v2/user`)).status !== 200) return undefined;
    await compareSamples(deployment, user, api);
    return true;
  });
}
