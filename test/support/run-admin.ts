import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { TestService } from "./service.ts";

/** Runs the operator's command against the tables of a service. @returns its exit status and output. */
export async function runAdmin({ cloud }: TestService, words: readonly string[]) {
  const credentials = { AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local", AWS_REGION: cloud.assembly.region };
  const env = { PATH: process.env.PATH, AWS_ENDPOINT_URL_DYNAMODB: cloud.dynamodb.origin, ...credentials };
  return promisify(execFile)(process.execPath, ["bin/tributary.ts", "admin", ...words], { env }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    (error: { code: number; stderr: string; stdout: string }) => ({
      code: error.code,
      text: error.stderr || error.stdout,
    }),
  );
}
