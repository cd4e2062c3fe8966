import type { EndpointContract } from "./endpoint.ts";

/** What a team key or access token may be kept to, and what each scope is for; docs/management.md lists the routes of each. */
export const keyScopes = {
  read: "read users, their data and what is computed of it",
  ingest: "send data of users, and have their providers asked for it",
  link: "connect users to providers and phones, and end that",
  labs: "tests, orders, appointments, insurance, results and lab reports",
  webhooks: "read events, and look after webhook endpoints",
  users: "make, change and delete users, and set how the sources of a team rank",
} as const;
export type KeyScope = keyof typeof keyScopes;
export const keyScopeNames = Object.keys(keyScopes) as [KeyScope, ...KeyScope[]];

/** Tags of which every route has one scope. */
const scopesOfTags: Readonly<Record<string, KeyScope>> = {
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

/** Tags of which routes that read have the scope `read`, and the others `users`. */
const tagsOfUsers = ["aggregation", "exports", "providers", "summaries", "team", "timeseries", "users"];

/** The one scope that an endpoint takes of a team key that has scopes. @throws Error for a tag that nobody has placed. */
export function keyScopeOf({ auth, tag, method, keyScope }: Scoped): KeyScope | undefined {
  if (auth !== "team") return undefined;
  const ofTag = keyScope ?? scopesOfTags[tag];
  if (ofTag === undefined && !tagsOfUsers.includes(tag)) throw new Error(`the routes of ${tag} have no scope`);
  return ofTag ?? (method === "GET" ? "read" : "users");
}

type Scoped = Pick<EndpointContract, "auth" | "tag" | "method" | "keyScope">;
