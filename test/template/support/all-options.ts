import { sampleForwards } from "./forwards.ts";

const certificate = (region: string) =>
  `arn:aws:acm:${region}:111122223333:certificate/0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9`;

/** A domain, CloudFront, daily copies and an address for alarms. */
export const allOptions = {
  alarmEmail: "operators@example.com",
  backupDays: 35,
  domain: { name: "origin.example.com", certificateArn: certificate("us-east-1") },
  edge: { requestsPerAddress: 500, domain: { name: "api.example.com", certificateArn: certificate("us-east-1") } },
};

/** An existing web ACL in us-east-1, for a deployment in another region. */
export const webAclArn = "arn:aws:wafv2:us-east-1:111122223333:global/webacl/edge/0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9";

/** A certificate of another region. */
export const frankfurtCertificate = certificate("eu-central-1");

const secret = (name: string) => `arn:aws:secretsmanager:us-east-1:111122223333:secret:${name}-a1B2c3`;

/** Settings of the functions that watch a deployment. */
export const operationsSettings = {
  serviceLevels: true,
  traceExport: { endpoint: "https://traces.example.com:4318", headersSecretArn: secret("traces/headers") },
  watch: { keySecretArn: secret("watch/key") },
};

/** Every setting that adds resources to a deployment. */
export const everyOption = {
  ...allOptions,
  ...operationsSettings,
  forward: sampleForwards,
  lake: true,
  reportReader: "textract",
  teamCredentials: true,
  gradualReleases: "canary5",
} as const;
