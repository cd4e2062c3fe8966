import { randomUUID } from "node:crypto";

/**
 * Sets what functions find in the environment of this process.
 * @param front where all services of AWS are, for example `http://127.0.0.1:4566`, and what requests there are signed with.
 * @param more what all functions have beside what their templates say.
 */
export function enterEnvironment(
  front: { readonly origin: string; readonly secretAccessKey: string },
  region: string,
  more: Readonly<Record<string, string>>,
): void {
  // What a shell has set for AWS itself, or for another emulator, would win over the addresses and keys set here.
  for (const name of Object.keys(process.env)) if (name.startsWith("AWS_")) delete process.env[name];
  Object.assign(process.env, {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: front.secretAccessKey,
    AWS_ENDPOINT_URL: front.origin,
    // All functions of one start are one container.
    AWS_LAMBDA_LOG_STREAM_NAME: randomUUID(),
    ...more,
  });
}
