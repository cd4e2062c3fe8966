import * as z from "zod";
import { oauthProvider } from "../sources/providers.ts";

/** An application of the deployment's own at a provider, as whoever deploys writes it. */
const deploymentApp = z.strictObject({
  client_id: z.string().min(1).max(1_000),
  client_secret: z.string().min(1).max(10_000),
  /** What pushes are proven with where it is not the client secret. */
  push_secret: z.string().min(1).max(10_000).optional(),
  /** Where the provider sends users back to, where that is not the address of the service itself. */
  redirect_url: z
    .url({ protocol: /^https$/ })
    .max(2_083)
    .optional(),
});
export type DeploymentApp = z.output<typeof deploymentApp>;

/** The deployment's applications, by provider. */
export type DeploymentApps = ReadonlyMap<string, DeploymentApp>;

const isOAuth = (slug: string): boolean => oauthProvider.safeParse(slug).success;
const deploymentApps = z.record(z.string().refine(isOAuth), deploymentApp);

/** What may be told of a name that is no provider's: it looks like one, so it is no secret in the wrong place. */
const likeSlug = /^[a-z]{1,12}(_[a-z]{1,12}){0,3}(_v\d)?$/;

/**
 * Reads the deployment's applications, JSON by provider.
 * @returns the applications, or a sentence that says which providers are wrong, and in which field; never a value.
 */
export function readDeploymentApps(text: string): DeploymentApps | string {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    // The parser's own message repeats the text.
    return "the applications at providers are no JSON";
  }
  const read = deploymentApps.safeParse(given);
  if (read.success) return new Map(Object.entries(read.data));
  const wrong = new Set(read.error.issues.map(({ path }) => whereIs(path)));
  return `the applications at providers are not as they have to be: ${[...wrong].join(", ")}`;
}

/** The place of what is wrong, without names that nobody has given it but the one who wrote it. */
function whereIs([name, field]: readonly PropertyKey[]): string {
  if (typeof name !== "string") return "not by provider";
  if (!isOAuth(name)) return likeSlug.test(name) ? `${name} is not connected by OAuth` : "a name is no provider's";
  if (field === undefined) return `${name} (not an application, or more than that)`;
  return `${name} (${String(field)})`;
}
