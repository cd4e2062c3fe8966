import { randomUUID } from "node:crypto";
import { LOCAL_SECRET } from "../front/aws-request.ts";

/**
 * Sets what functions find in the environment of this process.
 * @param origin where all services of AWS are, for example `http://127.0.0.1:4566`.
 * @param more what all functions have beside what their templates say.
 */
export function enterEnvironment(origin: string, region: string, more: Readonly<Record<string, string>>): void {
  // What a shell has set for AWS itself, or for another emulator, would win over the addresses and keys set here.
  for (const name of Object.keys(process.env)) if (name.startsWith("AWS_")) delete process.env[name];
  Object.assign(process.env, {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: LOCAL_SECRET,
    AWS_ENDPOINT_URL: origin,
    // All functions of one start are one container.
    AWS_LAMBDA_LOG_STREAM_NAME: randomUUID(),
    ...more,
  });
}
