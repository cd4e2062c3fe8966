import { setTimeout as sleep } from "node:timers/promises";
import { ports, randomFraction } from "../ports.ts";
import { type AwsCredentials, defaultProvider } from "./environment-credentials.ts";
import { regionalEndpoint } from "./regional-endpoint.ts";
import { signRequest } from "./sign-request.ts";

/** A role to assume, and the tags of its session. */
export interface RoleSession {
  readonly roleArn: string;
  /** Name of the session in CloudTrail, 2 to 64 characters. */
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly durationS: number;
}

const ATTEMPTS = 3;
const TIMEOUT_MS = 3_000;
const [CONTENT_TYPE, VERSION] = ["application/x-www-form-urlencoded", "2011-06-15"];

/** A request that STS refused or did not answer. Its name and status distinguish an outage from a refusal. */
class StsError extends Error {
  readonly $metadata: { readonly httpStatusCode: number };

  constructor(name: string, status: number, options?: ErrorOptions) {
    super(`AssumeRole failed with ${name}`, options);
    this.name = name;
    this.$metadata = { httpStatusCode: status };
  }
}

/**
 * Assumes a role with the credentials of the function (AWS STS API Reference, "AssumeRole"). It stands in for the SDK's
 * client, which is larger than the rest of a small function.
 * @throws StsError after three attempts without a response or with a server-side fault, or for a refusal.
 */
export async function assumeRole(session: RoleSession): Promise<AwsCredentials> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await requestRole(session);
    } catch (error) {
      if (!(error instanceof StsError && isTransient(error)) || attempt === ATTEMPTS) throw error;
      await sleep(2 ** attempt * 25 * (0.5 + randomFraction()));
    }
  }
}

const isTransient = ({ name, $metadata }: StsError) => $metadata.httpStatusCode >= 500 || name.startsWith("Throttling");

async function requestRole({ roleArn, name, tags, durationS }: RoleSession): Promise<AwsCredentials> {
  const { AWS_REGION: region = "", AWS_ENDPOINT_URL: endpoint } = process.env;
  const { url } = regionalEndpoint("sts")({ Region: region, ...(endpoint ? { Endpoint: endpoint } : {}) });
  const body = new URLSearchParams({
    ...{ Action: "AssumeRole", Version: VERSION, RoleArn: roleArn, RoleSessionName: name },
    DurationSeconds: String(durationS),
    ...Object.fromEntries(Object.entries(tags).flatMap(toTagParameters)),
  }).toString();
  const credentials = await defaultProvider()();
  const signing = { url, contentType: CONTENT_TYPE, body, service: "sts", region, credentials };
  const { host: _, ...headers } = signRequest({ ...signing, nowMs: ports().clock.now() });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { method: "POST", headers, body, signal }).catch((cause: unknown) => {
    throw new StsError("NoResponse", 503, { cause });
  });
  return parseCredentials(response.status, await response.text());
}

const toTagParameters = ([key, value]: [string, string], index: number) => [
  [`Tags.member.${index + 1}.Key`, key],
  [`Tags.member.${index + 1}.Value`, value],
];

/** Parses an XML response. @throws StsError for any other response than credentials. */
function parseCredentials(status: number, xml: string): AwsCredentials {
  const read = (element: string) => new RegExp(`<${element}>\\s*([^<\\s]+)\\s*</${element}>`).exec(xml)?.[1];
  const [accessKeyId, secretAccessKey] = [read("AccessKeyId"), read("SecretAccessKey")];
  const sessionToken = read("SessionToken");
  if (status !== 200 || !accessKeyId || !secretAccessKey || !sessionToken)
    throw new StsError(read("Code") ?? "InvalidResponse", status === 200 ? 502 : status);
  return { accessKeyId, secretAccessKey, sessionToken };
}
