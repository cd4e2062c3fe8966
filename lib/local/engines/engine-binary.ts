import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";

/** A machine as Node names it. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
}

const require = createRequire(import.meta.url);

/** The machines that the DynamoDB engine is published for, at one version. */
const PUBLISHED = new Set(["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win32-x64"]);
const LOCKED = "@dynoxide/linux-x64";

/** The npm package with the DynamoDB engine for a machine; undefined where none is published. */
export function enginePackage({ platform, arch }: Machine): string | undefined {
  const name = `${platform}-${arch}`;
  return PUBLISHED.has(name) ? `@dynoxide/${name}` : undefined;
}

const fileName = ({ platform }: Machine): string => (platform === "win32" ? "dynoxide.exe" : "dynoxide");

/**
 * Where the engine's binary is: in the package for the machine, else on the PATH.
 * @param resolve finds a file of a package, and throws where the package is not installed.
 */
export function findEngine(machine: Machine = process, resolve: (file: string) => string = require.resolve) {
  const named = enginePackage(machine);
  if (named !== undefined) {
    try {
      return resolve(`${named}/${fileName(machine)}`);
    } catch {
      // Not installed: the lock holds the package for Linux x64 alone.
    }
  }
  const directories = (process.env.PATH ?? "").split(delimiter);
  return directories.map((directory) => join(directory, fileName(machine))).find((candidate) => existsSync(candidate));
}

/** What to do on a machine without the engine, in words that follow a colon. */
export function howToGetEngine(machine: Machine = process): string {
  const named = enginePackage(machine);
  const others = "put a dynoxide binary on the PATH, or set DYNAMODB_ENDPOINT to an engine that runs";
  if (named === undefined) return `none is published for ${machine.platform} ${machine.arch}; ${others}`;
  return `npm install --no-save ${named}@${lockedVersion()}, or ${others}`;
}

/** The version of the one that the lock holds; packages for all machines share it. */
const lockedVersion = (): string => require("../../../package.json").optionalDependencies[LOCKED];

/**
 * Runs a program until it ends or standard input does. The input is a pipe from this process, which the system closes
 * however this process ends, so that even a SIGKILL leaves no engine behind that holds the database.
 */
const UNTIL_STDIN_ENDS =
  'exec 3<&0; "$0" "$@" & engine=$!; (cat <&3 >/dev/null; kill $engine 2>/dev/null) & wait $engine';

/** How the engine is spawned: ended with this process, where there is a POSIX shell to see to it. */
export function engineCommand(binary: string, argv: readonly string[], { platform }: Pick<Machine, "platform">) {
  if (platform === "win32") return { file: binary, argv: [...argv] };
  return { file: "sh", argv: ["-c", UNTIL_STDIN_ENDS, binary, ...argv] };
}
