import * as z from "zod";
import { findPulledProvider } from "../../lib/connectors/connectors.ts";
import { batchGetItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { historicalPulls, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import type { HistoricalPull } from "../../lib/domain/connections/pulls/historical-pull.ts";
import {
  introspectionQuery,
  toWireHistoricalPull,
  wireUserHistories,
} from "../../lib/domain/connections/pulls/wire-introspection.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { introspectUsers } from "../../lib/services/connections/introspect-users.ts";

export const contract = endpoint({
  operationId: "getUserHistoricalPulls",
  method: "GET",
  path: "/v2/introspect/historical_pull",
  tag: "providers",
  summary: "List the historical pulls of users",
  description: [
    "Returns how far the histories of each user are, by provider and resource.",
    "Poll it after a user connects, or wait for `historical.data.<resource>.created`.",
    "`days_with_data` counts the days for which the provider delivered something.",
    "Resources that were never requested, for example for want of a scope, are in `not_pulled`.",
    "Users are in the order of their ids, 50 a page unless `user_limit` says otherwise, at most 100.",
    "Users without histories appear with an empty `provider`; an unknown `user_id` gives an empty list.",
  ],
  auth: "team",
  params: noFields,
  query: introspectionQuery,
  response: z
    .object({ data: z.array(wireUserHistories), next: z.string().nullable(), next_cursor: z.string().nullable() })
    .meta({ id: "UserHistoricalPullsPage" }),
  access: [queryItems(users, "team_users"), batchGetItem(users), queryItems(historicalPulls)],
});

/** The history pulls of one provider, and its resources without a pull. */
async function toProviderHistories(provider: string, pulls: readonly HistoricalPull[]) {
  const pulled = Object.fromEntries(pulls.map((pull) => [pull.resource, toWireHistoricalPull(pull)]));
  const all = (await findPulledProvider(provider))?.resources ?? [];
  return { pulled, not_pulled: all.map(({ name }) => name).filter((name) => !(name in pulled)) };
}

export const handler = implement(contract, async ({ scope, query: filter, pages }, deps) =>
  introspectUsers(deps.users, scope, filter, pages, async ({ user_id }) => {
    const pulls = await deps.historicalPulls.list(scope, user_id);
    const selected = pulls.filter(({ provider }) => filter.provider === "" || provider === filter.provider);
    const byProvider = [...Map.groupBy(selected, ({ provider }) => provider)];
    const provider = await Promise.all(
      byProvider.map(async ([slug, ofSlug]) => [slug, await toProviderHistories(slug, ofSlug)] as const),
    );
    return { user_id, provider: Object.fromEntries(provider) };
  }),
);
