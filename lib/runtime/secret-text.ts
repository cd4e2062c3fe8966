import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { oncePerContainer } from "./container.ts";

const secretsManager = oncePerContainer(() => new SecretsManagerClient({}));

/** Reads the text of a secret; undefined for a secret without a value, which AWS reports like a missing secret. */
export async function readSecretText(arn: string): Promise<string | undefined> {
  try {
    const { SecretString } = await secretsManager().send(new GetSecretValueCommand({ SecretId: arn }));
    if (SecretString === undefined) throw new Error("the secret is binary, not text");
    return SecretString;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
