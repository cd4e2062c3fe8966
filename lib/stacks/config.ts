import type { App } from "aws-cdk-lib/core";
import * as z from "zod";
import type { QueueResource } from "../contract/resource-kinds.ts";
import type { Environment, Region } from "../domain/identity.ts";
import { type Forward, forwardList } from "../events/forwarding.ts";

/** What a deployment may set in the context of cdk.json; everything has a safe default and nothing is a secret. */
export interface DeploymentConfig {
  /** Prefix of all stack names. */
  readonly name: string;
  readonly environment: Environment;
  readonly region: Region;
  /** Days that logs are kept. */
  readonly logRetentionDays: number;
  /** Requests of a team in a second, for all of its keys together, where nothing else is set for it. */
  readonly requestsPerSecond: number;
  /** Users of a team, where nothing else is set for it; none for as many as there are. */
  readonly usersPerTeam: number | undefined;
  /** Teams of an organisation; none for as many as there are. */
  readonly teamsPerOrg: number | undefined;
  /** What finds the words of scanned lab reports: the engine in the function itself, or Amazon Textract. */
  readonly reportReader: "local" | "textract";
  /** Where bundled functions are, relative to the project. */
  readonly bundleDirectory: string;
  /** What to forward where, in order: the first entry takes an event whose type begins with one of its prefixes. */
  readonly forward: readonly Forward[];
}

/** A sandbox is for trying things out. */
const sandboxQuotas = { usersPerTeam: 20_000, teamsPerOrg: 100 };

/** The configuration of an app, read from its context. */
export function readConfig(app: App): DeploymentConfig {
  const setting = <T>(key: string, fallback: T): T => app.node.tryGetContext(key) ?? fallback;
  const environment = setting<Environment>("environment", "sandbox");
  const quotas = environment === "sandbox" ? sandboxQuotas : { usersPerTeam: undefined, teamsPerOrg: undefined };
  return {
    name: setting("name", "Tributary"),
    environment,
    region: setting("region", "us"),
    logRetentionDays: setting("logRetentionDays", 90),
    requestsPerSecond: setting("requestsPerSecond", 1_000),
    usersPerTeam: setting("usersPerTeam", quotas.usersPerTeam),
    teamsPerOrg: setting("teamsPerOrg", quotas.teamsPerOrg),
    reportReader: readReportReader(setting<unknown>("reportReader", "local")),
    bundleDirectory: setting("bundleDirectory", "dist"),
    forward: readForwards(setting<unknown>("forward", [])),
  };
}

/** @throws Error for a reader that there is none of. */
function readReportReader(given: unknown): DeploymentConfig["reportReader"] {
  if (given !== "local" && given !== "textract") throw new Error('reportReader in cdk.json: "local" or "textract"');
  return given;
}

/** @throws Error that names every entry which says nothing, or is not understood. */
function readForwards(given: unknown): Forward[] {
  const forwards = forwardList.safeParse(given);
  if (!forwards.success) throw new Error(`forward in cdk.json:\n${z.prettifyError(forwards.error)}`);
  return forwards.data;
}

/** Whether a deployment has this queue, and the function that consumes it. */
export function hasQueue({ forward }: DeploymentConfig, { forwardsTo }: QueueResource): boolean {
  return forwardsTo === undefined || forward.some(({ to }) => to.kind === forwardsTo);
}
