import type { Grant } from "../contract/access.ts";
import { commit, type WriteItem } from "../store/transaction.ts";
import { documents } from "./aws.ts";

/**
 * Where each thing that a grant names is made. Imported only when a function has the grant, and the bundler leaves the
 * others out of the function's asset, so a route carries no client of a service that it may not call.
 */
const makers = {
  orgs: () => import("./uses/orgs.ts"),
  teams: () => import("./uses/teams.ts"),
  keys: () => import("./uses/keys.ts"),
  users: () => import("./uses/users.ts"),
  reservations: () => import("./uses/reservations.ts"),
  chunks: () => import("./uses/chunks.ts"),
  summaries: () => import("./uses/summaries.ts"),
  outbox: () => import("./uses/outbox.ts"),
  webhookEndpoints: () => import("./uses/webhook-endpoints.ts"),
  deliveries: () => import("./uses/deliveries.ts"),
  receipts: () => import("./uses/receipts.ts"),
  ingestion: () => import("./uses/ingestion.ts"),
  webhooks: () => import("./uses/webhooks.ts"),
  webhookAttempts: () => import("./uses/webhook-attempts.ts"),
  bus: () => import("./uses/bus.ts"),
  batches: () => import("./uses/batches.ts"),
  streams: () => import("./uses/streams.ts"),
  userExports: () => import("./uses/user-exports.ts"),
  deletions: () => import("./uses/deletions.ts"),
  secrets: () => import("./uses/secrets.ts"),
};

type Made = { readonly [Name in keyof typeof makers]: ReturnType<Awaited<ReturnType<(typeof makers)[Name]>>["make"]> };

/** What a function with these grants is handed: the stores and ports it declared, and nothing else. */
export type Uses<Access extends readonly Grant[]> = Pick<Made, Access[number]["use"] & keyof Made> & {
  /** Runs one transaction over items that the stores made. */
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
};

const made = new Map<string, Promise<unknown>>();

function make(name: keyof Made): Promise<unknown> {
  const known = made.get(name) ?? makers[name]().then((module) => module.make());
  made.set(name, known);
  return known;
}

/** The things a function declared access to, made once and kept for the container's life. */
export async function usesOf<const Access extends readonly Grant[]>(access: Access): Promise<Uses<Access>> {
  const names = [...new Set(access.map((grant) => grant.use))].filter((name) => name in makers) as (keyof Made)[];
  const entries = await Promise.all(names.map(async (name) => [name, await make(name)] as const));
  const uses = { ...Object.fromEntries(entries), commit: (items: readonly WriteItem[]) => commit(documents(), items) };
  return uses as Uses<Access>;
}
