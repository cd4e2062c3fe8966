import type { App } from "aws-cdk-lib/core";
import * as z from "zod";
import { type ConsumerContract, optionalQueue } from "../contract/consumer.ts";
import type { QueueResource } from "../contract/resource-kinds.ts";
import { forwardList } from "../events/forwarding/forward-rules.ts";

/** Log retention periods of CloudWatch in days (CloudWatch Logs, PutRetentionPolicy). */
const LOG_RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288,
];

/** Context of `-c key=value` is text. */
const positiveInteger = z.coerce.number().int().positive();
const flag = z.union([z.boolean(), z.stringbool()]);
const hostname = z.string().regex(/^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/, "not a host name");
const certificateArn = z
  .string()
  .regex(/^arn:aws[\w-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/, "not the ARN of a certificate");
const webAclArn = z
  .string()
  .regex(
    /^arn:aws[\w-]*:wafv2:us-east-1:\d{12}:global\/webacl\/[\w-]+\/[\w-]+$/,
    "not the ARN of a web ACL for CloudFront in us-east-1",
  );
const secretArn = z
  .string()
  .regex(/^arn:aws[\w-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+$/, "not the ARN of a secret");
const policyArn = z
  .string()
  .regex(/^arn:aws[\w-]*:iam::(\d{12}|aws):policy\/[\w+=,.@/-]+$/, "not the ARN of a managed policy");
/** Tags as AWS accepts them; it adds up to ten of its own ("Tag naming limits and requirements"). */
const tagText = (min: number, max: number) =>
  z.string().regex(new RegExp(`^[\\p{L}\\p{N} _.:/=+@-]{${min},${max}}$`, "u"), "not a text that AWS accepts in tags");
const resourceTags = z
  .record(
    tagText(1, 128).refine((key) => !/^aws:/i.test(key), "AWS reserves the prefix aws:"),
    tagText(0, 256),
  )
  .refine((tags) => Object.keys(tags).length <= 40, "at most 40 tags");
const httpsAddress = z
  .url({ protocol: /^https$/, hostname: z.regexes.domain })
  .transform((given) => given.replace(/\/+$/, ""));
const isInVirginia = (arn: string) => arn.split(":")[3] === "us-east-1";

/** A custom domain with an existing certificate. */
const domain = z.strictObject({ name: hostname, certificateArn });

/** CloudFront with AWS WAF in front of the main API. */
const edge = z.strictObject({
  /** An existing web ACL. By default the deployment creates one, which is possible only in us-east-1. */
  webAclArn: webAclArn.optional(),
  /** Maximum number of requests per IP address in five minutes. By default what one team may send. */
  requestsPerAddress: positiveInteger.min(10).optional(),
  /** A new version makes CloudFront and the functions read their shared secret again. */
  secretVersion: z.coerce
    .string()
    .regex(/^[\w.-]{1,40}$/, "letters, digits, dots and hyphens")
    .default("1"),
  domain: domain
    .refine((given) => isInVirginia(given.certificateArn), {
      path: ["certificateArn"],
      message: "CloudFront accepts only certificates in us-east-1",
    })
    .optional(),
});

/** Settings of a deployment, see docs/deploy.md. All have a safe default, none is a secret. */
const deploymentSettings = z.strictObject({
  /** Prefix of all stack names. */
  name: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,39}$/, "a letter, then letters, digits and hyphens")
    .default("Tributary"),
  environment: z.enum(["sandbox", "production"]).default("sandbox"),
  region: z.enum(["us", "eu"]).default("us"),
  /** Retention of logs in days. */
  logRetentionDays: z.coerce
    .number()
    .refine((days) => LOG_RETENTION_DAYS.includes(days), `one of ${LOG_RETENTION_DAYS.join(", ")}`)
    .default(90),
  /** Days of point-in-time recovery of the tables. */
  restoreDays: positiveInteger.max(35).default(35),
  /** Retention in days of the daily backups of every table by AWS Backup. No backups by default. */
  backupDays: positiveInteger.max(36_500).optional(),
  /** Address that receives alarms, after it has confirmed the subscription. */
  alarmEmail: z.email().optional(),
  /** Whether resources with data are retained when their stack is deleted. */
  removal: z.enum(["retain", "destroy"]).default("retain"),
  dashboard: flag.default(true),
  /** Default limit of requests per second of a team, over all its keys. */
  requestsPerSecond: positiveInteger.default(1_000),
  /** Default limit of work per second of a team, in units of about one write. */
  workPerSecond: positiveInteger.default(20_000),
  /** Maximum number of requests per second that an API passes to functions, over all callers. */
  stageRequestsPerSecond: positiveInteger.max(10_000).default(5_000),
  /** Maximum concurrent containers of a queue's consumer, by its operation, instead of the maximum in its contract. */
  maxConcurrency: z.record(z.string(), z.coerce.number().int().min(2).max(1_000)).default({}),
  /** Days for which reads as of an earlier instant are possible; 0 for none. */
  asOfDays: z.coerce.number().int().nonnegative().default(30),
  /** Default maximum number of users of a team. Unlimited by default. */
  usersPerTeam: positiveInteger.optional(),
  /** Maximum number of teams of an organisation. Unlimited by default. */
  teamsPerOrg: positiveInteger.optional(),
  /** Text recognition for scanned lab reports: the engine in the function, or Amazon Textract. */
  reportReader: z.enum(["local", "textract"]).default("local"),
  /** Directory of the bundled functions, relative to the project. */
  bundleDirectory: z.string().min(1).default("dist"),
  /** Forwarding rules in order. The first rule with a matching prefix of the event type applies. */
  forward: forwardList.default([]),
  /** Whether teams may have a lake: tables of their data for analysts. */
  lake: flag.default(false),
  /** Whether the functions of a team's routes use items with credentials of that team alone (docs/security.md). */
  teamCredentials: flag.default(false),
  /** Custom domain of the main API, in addition to its URL on AWS. */
  domain: domain.optional(),
  edge: edge.optional(),
  /** A managed policy that bounds the permissions of every role of the deployment. */
  permissionsBoundaryArn: policyArn.optional(),
  /** Tags of every resource, for example for cost allocation. */
  tags: resourceTags.default({}),
  /** How requests move to new versions of routes: at once, 10 % for 5 or 15 minutes, or 10 % more each minute. */
  gradualReleases: z.enum(["off", "canary5", "canary15", "linear10"]).default("off"),
  /** Alarms on burn rates of service levels, and a dashboard of business metrics (docs/service-levels.md). */
  serviceLevels: flag.default(false),
  /** A receiver of spans by OTLP over HTTP, and a secret with its headers as a JSON object (docs/tracing.md). */
  traceExport: z.strictObject({ endpoint: httpsAddress, headersSecretArn: secretArn.optional() }).optional(),
  /** A play against the deployment's address every five minutes, with the API key in this secret (docs/service-levels.md). */
  watch: z.strictObject({ keySecretArn: secretArn }).optional(),
});

export type DeploymentConfig = Readonly<z.output<typeof deploymentSettings>>;

/** The settings of a stage are validated after they are merged with the settings of all stages. */
const stages = z.record(z.string().regex(/^[a-z][a-z0-9-]*$/), z.record(z.string(), z.unknown()));

/** Default quotas of a sandbox, which is for trying out the service. */
const sandboxQuotas = { usersPerTeam: 20_000, teamsPerOrg: 100 };

/**
 * Reads the configuration of an app from its context. Settings of the stage `stage` override those of all stages.
 * @throws Error with the stage and every invalid key.
 */
export function readConfig(app: App): DeploymentConfig {
  const context: Record<string, unknown> = app.node.getAllContext();
  return resolveConfig(settingsFromContext(context), context.stages, context.stage);
}

/** The settings of all stages: the context without keys of CDK and its command line. */
export function settingsFromContext(context: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(context).filter(([key]) => !/[@:]|^(cli-telemetry|stages|stage)$/.test(key)),
  );
}

/**
 * Resolves the configuration of a stage, or of no stage.
 * @throws Error with the stage and every invalid key.
 */
export function resolveConfig(forAll: object, given: unknown, stage: unknown): DeploymentConfig {
  const known = stages.safeParse(given ?? {});
  if (!known.success) throw new Error(`stages in cdk.json:\n${z.prettifyError(known.error)}`);
  const names = Object.keys(known.data);
  const own = typeof stage === "string" ? known.data[stage] : {};
  if (!own) throw new Error(`cdk.json has no stage ${stage}; its stages are: ${names.join(", ") || "none"}`);
  const where = stage === undefined ? "cdk.json" : `cdk.json, stage ${stage}`;
  const parsed = deploymentSettings.safeParse({ ...forAll, ...own });
  if (!parsed.success) throw new Error(`${where}:\n${z.prettifyError(parsed.error)}`);
  const config = parsed.data;
  const conflict = findConflict(config);
  if (conflict) throw new Error(`${where}: ${conflict}`);
  return config.environment === "sandbox" ? { ...sandboxQuotas, ...config } : config;
}

/** Finds settings that are valid separately and conflict with each other. */
function findConflict({ environment, removal, edge: front, region }: DeploymentConfig): string | undefined {
  if (environment === "production" && removal !== "retain") return "removal must be retain in production";
  if (front && region !== "us" && !front.webAclArn) {
    return "edge.webAclArn is required outside of the us region, because CloudFront web ACLs exist only in us-east-1";
  }
  return undefined;
}

/** Whether a deployment has a consumer: a queue that is fed invokes it, or its setting is set. */
export function hasConsumer(config: DeploymentConfig, { trigger }: Pick<ConsumerContract, "trigger">): boolean {
  if (trigger.kind === "setting") return config[trigger.setting] !== undefined;
  const queue = optionalQueue(trigger);
  return queue === undefined || hasQueue(config, queue);
}

/** Whether a deployment has this queue and its consumer. */
export function hasQueue({ forward, lake }: DeploymentConfig, { forwardsTo }: QueueResource): boolean {
  if (forwardsTo === "lake") return lake;
  return forwardsTo === undefined || forward.some(({ to }) => to.kind === forwardsTo);
}
