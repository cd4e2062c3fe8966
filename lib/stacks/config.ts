import type { App } from "aws-cdk-lib/core";
import * as z from "zod";
import type { QueueResource } from "../contract/resource-kinds.ts";
import { forwardList } from "../events/forwarding.ts";

/** How long CloudWatch can keep a log, in days (CloudWatch Logs, PutRetentionPolicy). */
const RETENTIONS = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288];

/** Context given as `-c key=value` is text. */
const count = z.coerce.number().int().positive();
const flag = z.union([z.boolean(), z.stringbool()]);
const hostname = z.string().regex(/^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/, "not a host name");
const certificateArn = z
  .string()
  .regex(/^arn:aws[\w-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/, "not the ARN of a certificate");
const webAclArn = z
  .string()
  .regex(
    /^arn:aws[\w-]*:wafv2:us-east-1:\d{12}:global\/webacl\/[\w-]+\/[\w-]+$/,
    "not the ARN of a web ACL for CloudFront, which is in us-east-1",
  );
const isInVirginia = (arn: string) => arn.split(":")[3] === "us-east-1";

/** An address of one's own, with a certificate that is there already. */
const domain = z.strictObject({ name: hostname, certificateArn });

/** CloudFront with a firewall in front of the main API. */
const edge = z.strictObject({
  /** A web ACL that is there already; without it one is made, which is possible in us-east-1 alone. */
  webAclArn: webAclArn.optional(),
  /** Requests of one address in five minutes, above which it is refused. */
  requestsPerAddress: count.min(10).default(2_000),
  /** Another one has CloudFront and functions read the secret between them anew. */
  secretVersion: z.coerce
    .string()
    .regex(/^[\w.-]{1,40}$/, "letters, digits, dots and hyphens")
    .default("1"),
  domain: domain
    .refine((given) => isInVirginia(given.certificateArn), {
      path: ["certificateArn"],
      message: "CloudFront takes certificates of us-east-1 alone",
    })
    .optional(),
});

/** What a deployment may set; everything has a safe default and nothing is a secret. docs/deploy.md explains each. */
const settings = z.strictObject({
  /** Prefix of all stack names. */
  name: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,39}$/, "a letter, then letters, digits and hyphens")
    .default("Tributary"),
  environment: z.enum(["sandbox", "production"]).default("sandbox"),
  region: z.enum(["us", "eu"]).default("us"),
  /** Days that logs are kept. */
  logRetentionDays: z.coerce
    .number()
    .refine((days) => RETENTIONS.includes(days), `one of ${RETENTIONS.join(", ")}`)
    .default(90),
  /** Days for which tables can be restored to any point. */
  restoreDays: count.max(35).default(35),
  /** Days for which AWS Backup keeps a daily copy of every table; none without it. */
  backupDays: count.max(36_500).optional(),
  /** Who hears of alarms; AWS asks the address to confirm. */
  alarmEmail: z.email().optional(),
  /** Whether what keeps data stays when its stack is deleted. */
  removal: z.enum(["retain", "destroy"]).default("retain"),
  dashboard: flag.default(true),
  /** Requests of a team in a second, for all of its keys together, where nothing else is set for it. */
  requestsPerSecond: count.default(1_000),
  /** Work of a team in a second, in units of about one write, where nothing else is set for it. */
  workPerSecond: count.default(20_000),
  /** Requests in a second that an API lets through to functions, of all teams and strangers together. */
  stageRequestsPerSecond: count.max(10_000).default(5_000),
  /** Days for which reads are answered as of an earlier instant; 0 for none. */
  asOfDays: z.coerce.number().int().nonnegative().default(30),
  /** Users of a team, where nothing else is set for it; none for as many as there are. */
  usersPerTeam: count.optional(),
  /** Teams of an organisation; none for as many as there are. */
  teamsPerOrg: count.optional(),
  /** What finds the words of scanned lab reports: the engine in the function itself, or Amazon Textract. */
  reportReader: z.enum(["local", "textract"]).default("local"),
  /** Where bundled functions are, relative to the project. */
  bundleDirectory: z.string().min(1).default("dist"),
  /** What to forward where, in order: the first entry takes an event whose type begins with one of its prefixes. */
  forward: forwardList.default([]),
  /** The main API's own address, beside the one that AWS gives it. */
  domain: domain.optional(),
  edge: edge.optional(),
});

export type DeploymentConfig = Readonly<z.output<typeof settings>>;

/** What each stage sets is judged together with what is set for all. */
const stages = z.record(z.string().regex(/^[a-z][a-z0-9-]*$/), z.record(z.string(), z.unknown()));

/** A sandbox is for trying things out. */
const sandboxQuotas = { usersPerTeam: 20_000, teamsPerOrg: 100 };

/**
 * The configuration of an app, read from its context: what the stage named by `stage` sets, over what is set for all.
 * @throws Error that names the stage, every key that is not understood, and what is wrong with it.
 */
export function readConfig(app: App): DeploymentConfig {
  const context: Record<string, unknown> = app.node.getAllContext();
  return configOf(settingsIn(context), context.stages, context.stage);
}

/** What is set for all stages: context without what belongs to CDK and its command line. */
export function settingsIn(context: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(context).filter(([key]) => !/[@:]|^(cli-telemetry|stages|stage)$/.test(key)),
  );
}

/**
 * The configuration of one stage, or without one what is set for all.
 * @throws Error that names the stage, every key that is not understood, and what is wrong with it.
 */
export function configOf(forAll: object, given: unknown, stage: unknown): DeploymentConfig {
  const known = stages.safeParse(given ?? {});
  if (!known.success) throw new Error(`stages in cdk.json:\n${z.prettifyError(known.error)}`);
  const names = Object.keys(known.data);
  const own = typeof stage === "string" ? known.data[stage] : {};
  if (!own) throw new Error(`there is no stage ${stage} in cdk.json, only ${names.join(", ") || "none at all"}`);
  const where = stage === undefined ? "cdk.json" : `cdk.json, stage ${stage}`;
  const parsed = settings.safeParse({ ...forAll, ...own });
  if (!parsed.success) throw new Error(`${where}:\n${z.prettifyError(parsed.error)}`);
  const config = parsed.data;
  const conflict = conflictIn(config);
  if (conflict) throw new Error(`${where}: ${conflict}`);
  return config.environment === "sandbox" ? { ...sandboxQuotas, ...config } : config;
}

/** What is right by itself and wrong together. */
function conflictIn({ environment, removal, edge: front, region }: DeploymentConfig): string | undefined {
  if (environment === "production" && removal !== "retain") return "removal has to be retain in production";
  if (front && region !== "us" && !front.webAclArn) {
    return "edge.webAclArn has to name a web ACL outside of the us: CloudFront takes those of us-east-1 alone";
  }
  return undefined;
}

/** Whether a deployment has this queue, and the function that consumes it. */
export function hasQueue({ forward }: DeploymentConfig, { forwardsTo }: QueueResource): boolean {
  return forwardsTo === undefined || forward.some(({ to }) => to.kind === forwardsTo);
}
