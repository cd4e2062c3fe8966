import type { EndpointContract } from "./endpoint.ts";
import type { KeyScope } from "./key-scopes.ts";

/** Tags whose routes all have one scope. */
const scopeByTag: Readonly<Record<string, KeyScope>> = {
  ingest: "ingest",
  link: "link",
  events: "webhooks",
  portal: "webhooks",
  ...Object.fromEntries(
    [
      ...["appointments", "compendium", "insurance", "lab-reports", "lab-tests"],
      ...["order-documents", "orders", "places", "results", "unmatched-results"],
    ].map((tag) => [tag, "labs"]),
  ),
};

/** Tags whose GET routes have the scope `read` and whose other routes have `users`. */
const readOrUsersTags = [
  "aggregation",
  "console",
  "exports",
  "fhir",
  "providers",
  "summaries",
  "team",
  "timeseries",
  "users",
];

/**
 * Returns the scope that an endpoint requires of a restricted team key; undefined if every key may call it.
 * @throws Error for a tag without a scope.
 */
export function requiredKeyScope({ auth, tag, method, keyScope }: Scoped): KeyScope | undefined {
  if (auth !== "team" || keyScope === "any") return undefined;
  const ofTag = keyScope ?? scopeByTag[tag];
  if (ofTag === undefined && !readOrUsersTags.includes(tag)) throw new Error(`the routes of ${tag} have no scope`);
  return ofTag ?? (method === "GET" ? "read" : "users");
}

type Scoped = Pick<EndpointContract, "auth" | "tag" | "method" | "keyScope">;
