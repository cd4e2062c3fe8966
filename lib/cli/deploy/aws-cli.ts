import { execFile } from "node:child_process";

/** Result of an AWS CLI command: the JSON output, or the reason of the failure. */
export type AwsCliResult =
  | { readonly kind: "answer"; readonly value: unknown }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "unreachable"; readonly why: string };

/** Runs an AWS CLI command with the operator's credentials. @param words the arguments after `aws`. */
export type RunAwsCli = (...words: string[]) => Promise<AwsCliResult>;

const TIMEOUT_MS = 20_000;

/** Runs the installed AWS CLI, which supports every way to sign in. The checks only read. */
export const runAwsCli: RunAwsCli = (...words) => {
  const patience = ["--cli-connect-timeout", "5", "--cli-read-timeout", "10", "--output", "json"];
  const env = { ...process.env, AWS_MAX_ATTEMPTS: "1", AWS_EC2_METADATA_DISABLED: "true", AWS_PAGER: "" };
  return new Promise((done) => {
    execFile("aws", [...words, ...patience], { timeout: TIMEOUT_MS, env }, (error, stdout, stderr) => {
      if (!error) return done({ kind: "answer", value: JSON.parse(stdout || "{}") });
      if ((error as NodeJS.ErrnoException).code === "ENOENT") {
        return done({ kind: "unreachable", why: "the AWS command line (aws) is not installed" });
      }
      const why = (stderr.trim().split("\n").at(-1) || error.message).slice(0, 200);
      done({ kind: /An error occurred|credential|token|SSO|profile/i.test(why) ? "refused" : "unreachable", why });
    });
  });
};
