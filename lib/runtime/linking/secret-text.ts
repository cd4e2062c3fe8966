import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { keptByContainer } from "../container.ts";

const secretsManager = keptByContainer(() => new SecretsManagerClient({}));

/** The text of a secret; undefined while nobody has set it, for which AWS has no error of its own. */
export async function secretText(arn: string): Promise<string | undefined> {
  try {
    const { SecretString } = await secretsManager().send(new GetSecretValueCommand({ SecretId: arn }));
    if (SecretString === undefined) throw new Error("the secret is no text");
    return SecretString;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
