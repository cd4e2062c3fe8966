import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";

/** A machine, in Node's terms. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
}

const require = createRequire(import.meta.url);

/** Machines for which the DynamoDB engine is published, as `platform-arch`. All packages share one version. */
const PUBLISHED_MACHINES = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win32-x64"];
const LOCKED_PACKAGE = "@dynoxide/linux-x64";

/** The npm package with the DynamoDB engine for a machine; undefined when none is published. */
export function enginePackage({ platform, arch }: Machine): string | undefined {
  const name = `${platform}-${arch}`;
  return PUBLISHED_MACHINES.includes(name) ? `@dynoxide/${name}` : undefined;
}

const fileName = ({ platform }: Machine): string => (platform === "win32" ? "dynoxide.exe" : "dynoxide");

/**
 * Finds the engine's binary: in the npm package for the machine, else on the PATH.
 * @param resolve resolves a file of a package; throws when the package is not installed.
 */
export function findEngine(machine: Machine = process, resolve: (file: string) => string = require.resolve) {
  const named = enginePackage(machine);
  if (named !== undefined) {
    try {
      return resolve(`${named}/${fileName(machine)}`);
    } catch {
      // Not installed: package-lock.json contains only the package for Linux x64.
    }
  }
  const directories = (process.env.PATH ?? "").split(delimiter);
  return directories.map((directory) => join(directory, fileName(machine))).find((candidate) => existsSync(candidate));
}

/** Says how to install the engine, as the end of a sentence after a colon. */
export function engineInstallHint(machine: Machine = process): string {
  const named = enginePackage(machine);
  const others = "put a dynoxide binary on the PATH, or set DYNAMODB_ENDPOINT to a running engine";
  if (named === undefined) {
    const { platform, arch } = machine;
    return `no package is published for ${platform}-${arch}, only for ${PUBLISHED_MACHINES.join(", ")}; ${others}`;
  }
  return `npm install --no-save ${named}@${lockedVersion()}, or ${others}`;
}

/** The version of the package in package.json; the packages for all machines share it. */
const lockedVersion = (): string => require("../../../package.json").optionalDependencies[LOCKED_PACKAGE];

/**
 * Runs a program until it ends or its standard input closes. The standard input is a pipe from this process, which the
 * system closes however this process ends. So even a SIGKILL leaves no engine behind that locks the database.
 */
const UNTIL_STDIN_ENDS =
  'exec 3<&0; "$0" "$@" & engine=$!; (cat <&3 >/dev/null; kill $engine 2>/dev/null) & wait $engine';

/** The command that spawns the engine. With a POSIX shell the engine ends together with this process. */
export function engineCommand(binary: string, argv: readonly string[], { platform }: Pick<Machine, "platform">) {
  if (platform === "win32") return { file: binary, argv: [...argv] };
  return { file: "sh", argv: ["-c", UNTIL_STDIN_ENDS, binary, ...argv] };
}
