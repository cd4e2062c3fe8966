import { randomUUID } from "node:crypto";

/**
 * Sets the environment variables of all functions in this process.
 * @param front origin of the AWS services, for example `http://127.0.0.1:4566`, and the key that signs requests.
 * @param more environment variables in addition to those of the templates.
 */
export function setFunctionEnvironment(
  front: { readonly origin: string; readonly secretAccessKey: string },
  region: string,
  more: Readonly<Record<string, string>>,
): void {
  // AWS variables of the shell, for AWS or another emulator, would override the addresses and keys set here.
  for (const name of Object.keys(process.env)) if (name.startsWith("AWS_")) delete process.env[name];
  Object.assign(process.env, {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: front.secretAccessKey,
    AWS_ENDPOINT_URL: front.origin,
    // All functions of one start share one container.
    AWS_LAMBDA_LOG_STREAM_NAME: randomUUID(),
    ...more,
  });
}
