import * as z from "zod";
import { parseJson } from "../../shared/json.ts";
import { oauthProvider } from "./known-provider.ts";

/** Further keys of an application, by name, such as the subscription key of an API. */
export const appKeys = z.record(z.string().regex(/^[a-z0-9_]{1,40}$/), z.string().min(1).max(10_000));

/** The deployment's own OAuth application at a provider, as configured by the operator. */
const deploymentApp = z.strictObject({
  client_id: z.string().min(1).max(1_000),
  client_secret: z.string().min(1).max(10_000),
  /** Secret that authenticates pushes, if it differs from the client secret. */
  push_secret: z.string().min(1).max(10_000).optional(),
  keys: appKeys.optional(),
  /** Redirect URI, if it differs from the service's own. */
  redirect_url: z
    .url({ protocol: /^https$/ })
    .max(2_083)
    .optional(),
});
export type DeploymentApp = z.output<typeof deploymentApp>;

/** The deployment's applications by provider slug. */
export type DeploymentApps = ReadonlyMap<string, DeploymentApp>;

const isOAuth = (slug: string): boolean => oauthProvider.safeParse(slug).success;
const deploymentApps = z.record(z.string().refine(isOAuth), deploymentApp);

/** Form of a slug. An error message repeats an unknown name only in this form, because a secret may be in its place. */
const SLUG_PATTERN = /^[a-z]{1,12}\d?(_[a-z]{1,12}){0,3}(_v\d)?$/;

/**
 * Parses the deployment's applications, a JSON object by provider slug.
 * @returns the applications, or an error message that names the wrong providers and fields and repeats no value.
 */
export function parseDeploymentApps(text: string): DeploymentApps | string {
  const given = parseJson(text);
  // The message of JSON.parse would repeat the text, with its secrets.
  if (given === undefined) return "the applications at providers are not valid JSON";
  const read = deploymentApps.safeParse(given);
  if (read.success) return new Map(Object.entries(read.data));
  const wrong = new Set(read.error.issues.map(({ path }) => describeIssue(path)));
  return `the applications at providers are invalid: ${[...wrong].join(", ")}`;
}

/** Describes the location of an issue, without repeating names that may be secrets. */
function describeIssue([name, field]: readonly PropertyKey[]): string {
  if (typeof name !== "string") return "not an object by provider";
  if (!isOAuth(name)) return SLUG_PATTERN.test(name) ? `${name} is not connected by OAuth` : "a name is not a provider";
  if (field === undefined) return `${name} (not an application, or unknown fields)`;
  return `${name} (${String(field)})`;
}
