import type { LocalFunction } from "../../../lib/local/functions/lambda-context.ts";
import type { ResolvedAssembly, ResolvedResource } from "../../../lib/local/template/read-assembly.ts";
import { readAliases } from "../../../lib/local/template/read-functions.ts";
import type { TestService } from "../../support/service.ts";
import { isInAlarm } from "./evaluate-alarm.ts";
import { ReleaseMetrics } from "./release-metrics.ts";

const MINUTE_MS = 60_000;

/** The end of a release: which minute it was, and which alarms ended it. */
export interface ReleaseOutcome {
  readonly status: "succeeded" | "rolled back";
  readonly minutes: number;
  readonly alarms: readonly string[];
}

/** A change of an alias: the version that it has, the next one, and the deployment group that moves it. */
interface AliasChange {
  readonly arn: string;
  readonly before: LocalFunction;
  readonly next: LocalFunction;
  readonly group: ResolvedResource;
}

interface Release {
  readonly service: TestService;
  readonly before: ResolvedAssembly;
  readonly next: ResolvedAssembly;
  /** Sends the requests of one minute. */
  readonly sendMinute: (metrics: ReleaseMetrics) => Promise<void>;
}

/**
 * Moves the aliases that differ between two templates as CodeDeploy does (CodeDeploy User Guide, "Deployments on an AWS
 * Lambda compute platform"): shares by the configuration of each group, and back as soon as one of its alarms starts.
 */
export async function playRelease(release: Release): Promise<ReleaseOutcome> {
  const { service, next } = release;
  const { aliases } = service.cloud.host;
  const changes = listChanges(release);
  const metrics = new ReleaseMetrics(service, dimensionsByAlias(next));
  for (let minute = 0; ; minute += 1) {
    const shares = changes.map((change) => ({ change, share: shareAt(change.group, minute) }));
    for (const { change, share } of shares) {
      if (share === 1) aliases.point(change.arn, change.next);
      else aliases.point(change.arn, change.before, { fn: change.next, weight: share });
    }
    if (shares.every(({ share }) => share === 1)) return { status: "succeeded", minutes: minute, alarms: [] };
    await release.sendMinute(metrics);
    await service.advance(MINUTE_MS - 1_000);
    const alarms = changes.flatMap(({ group }) => startedAlarms(next, group, metrics));
    if (alarms.length > 0) {
      for (const { arn, before } of changes) aliases.point(arn, before);
      return { status: "rolled back", minutes: minute + 1, alarms };
    }
    await service.advance(1_000);
  }
}

function listChanges({ before, next }: Release): AliasChange[] {
  const known = new Map(readAliases(before).map(({ arn, fn }) => [arn, fn]));
  return readAliases(next).flatMap(({ arn, fn }) => {
    const earlier = known.get(arn);
    if (!earlier) throw new Error(`the version before has no alias ${arn}`);
    if (earlier.version === fn.version) return [];
    return [{ arn, before: earlier, next: fn, group: groupOf(next, fn) }];
  });
}

/** The deployment group of a function. Its logical id begins with that of the function's construct. */
function groupOf({ resources }: ResolvedAssembly, { name }: LocalFunction): ResolvedResource {
  const owner = resources.find((resource) => resource.type === "AWS::Lambda::Function" && resource.name === name);
  const prefix = owner?.logicalId.replace(/Function[0-9A-F]{8}$/, "Release");
  const group = resources.find(
    ({ type, stack, logicalId }) =>
      type === "AWS::CodeDeploy::DeploymentGroup" &&
      stack === owner?.stack &&
      logicalId.replace(/[0-9A-F]{8}$/, "") === prefix,
  );
  if (!group) throw new Error(`${name} has no deployment group`);
  return group;
}

/** The share of the next version at a minute after the begin of the release. */
function shareAt({ properties }: ResolvedResource, minute: number): number {
  const pace = String(properties.DeploymentConfigName);
  const canary = /LambdaCanary10Percent(\d+)Minutes$/.exec(pace);
  if (canary) return minute < Number(canary[1]) ? 0.1 : 1;
  if (/LambdaLinear10PercentEvery1Minute$/.test(pace)) return Math.min(1, (minute + 1) / 10);
  throw new Error(`the pace ${pace} is unknown`);
}

function startedAlarms({ resources }: ResolvedAssembly, { properties }: ResolvedResource, metrics: ReleaseMetrics) {
  const { Alarms } = properties.AlarmConfiguration as { readonly Alarms: readonly { readonly Name: string }[] };
  const read = metrics.reader();
  return Alarms.flatMap(({ Name }) => {
    const alarm = resources.find(({ type, ref }) => type === "AWS::CloudWatch::Alarm" && ref === Name);
    if (!alarm) throw new Error(`the alarm ${Name} does not exist`);
    return isInAlarm(alarm, read) ? [alarm.logicalId.replace(/[0-9A-F]{8}$/, "")] : [];
  });
}

/** The dimensions under which Lambda counts invocations of each alias. */
const dimensionsByAlias = (assembly: ResolvedAssembly) =>
  new Map(
    readAliases(assembly).map(({ arn, fn }) => [
      arn,
      { FunctionName: fn.name, Resource: `${fn.name}:${arn.slice(arn.lastIndexOf(":") + 1)}` },
    ]),
  );
