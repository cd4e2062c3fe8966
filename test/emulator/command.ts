import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

/** Enough for the events of a deployment. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
const LINES_OF_FAILURE = 15;

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: start with test/emulator/run.sh`);
  return value;
}

/** Path of a file in the directory of this run. */
export const workFile = (name: string): string => join(variable("EMULATOR_DIRECTORY"), name);

/** Variables of a command beside those of the run, such as other credentials. */
export type Environment = Readonly<Record<string, string>>;

/** Runs a command. @returns its standard output. @throws with the end of its output when it fails. */
async function runCommand(file: string, words: readonly string[], environment: Environment = {}): Promise<string> {
  const options = { maxBuffer: MAX_OUTPUT_BYTES, env: { ...process.env, ...environment } };
  const { stdout } = await promisify(execFile)(file, words, options).catch((error) => {
    const lines = `${error.stdout}${error.stderr}`.trim().split("\n");
    throw new Error(`${words.join(" ")}\n${lines.slice(-LINES_OF_FAILURE).join("\n")}`);
  });
  return stdout;
}

/** Runs the project's own cdk, as the account's administrator unless `session` has other credentials. */
export const runCdk = (words: readonly string[], session?: Environment): Promise<string> =>
  runCommand("node_modules/.bin/cdk", words, session);

/** Runs a command of the project with Node, which resolves the names of the emulator's APIs. */
export const runTributary = (...words: string[]): Promise<string> =>
  runCommand(process.execPath, ["--import", "./test/emulator/resolve-localhost.ts", "bin/tributary.ts", ...words]);

/** Calls one operation of AWS, as the account's administrator unless `session` has other credentials. @returns the response. */
export async function callAws(
  service: string,
  operation: string,
  input: object = {},
  session?: Environment,
  // biome-ignore lint/suspicious/noExplicitAny: responses of many operations
): Promise<any> {
  const words = ["test/emulator/aws_call.py", service, operation, JSON.stringify(input)];
  return JSON.parse(await runCommand(variable("EMULATOR_PYTHON"), words, session));
}

/** The requests that IAM has denied so far: principal, action and resource of each. */
export const listDenials = (): string[] =>
  readFileSync(workFile("emulator.log"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("denied "));
