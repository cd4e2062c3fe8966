import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import * as z from "zod";
import { AwsError } from "../aws-proxy/aws-error.ts";
import type { Engine } from "../aws-proxy/engine-router.ts";
import type { ResolvedAssembly } from "../template/read-assembly.ts";

/** A secret of the templates. Its value is the content of `file`; the secret is unset while the file does not exist. */
export interface LocalSecret {
  readonly name: string;
  readonly arn: string;
  readonly file: string;
}

const getRequest = z.object({ SecretId: z.string() });

/** Reads the secrets from the templates. @param fileOf returns the path of a file with the given name. */
export function readSecrets({ resources }: ResolvedAssembly, fileOf: (name: string) => string): LocalSecret[] {
  const found = resources.filter(({ type }) => type === "AWS::SecretsManager::Secret");
  return found.map(({ name, ref = "" }) => ({ name, arn: ref, file: fileOf(`${name.replace(/^.*\//, "")}.json`) }));
}

/** Whether a secret has a value. */
export const isSecretSet = ({ file }: LocalSecret): boolean => existsSync(file);

/** Implements GetSecretValue of Secrets Manager. The file is read at each call. */
export function createSecretsManagerEngine(secrets: readonly LocalSecret[]): Engine {
  return async (operation, body) => {
    if (operation !== "GetSecretValue") {
      throw new AwsError(400, "UnknownOperationException", `the local Secrets Manager does not support ${operation}`);
    }
    const { SecretId } = getRequest.parse(body);
    const secret = secrets.find(({ name, arn }) => name === SecretId || arn === SecretId);
    if (!secret) throw notFound("secret.");
    if (!isSecretSet(secret)) throw notFound("secret value for staging label: AWSCURRENT");
    const SecretString = readFileSync(secret.file, "utf8");
    return {
      ARN: secret.arn,
      Name: secret.name,
      SecretString,
      VersionId: createHash("sha256").update(SecretString).digest("hex"),
      VersionStages: ["AWSCURRENT"],
      CreatedDate: statSync(secret.file).mtimeMs / 1000,
    };
  };
}

const notFound = (what: string) =>
  new AwsError(400, "ResourceNotFoundException", `Secrets Manager can't find the specified ${what}`);
