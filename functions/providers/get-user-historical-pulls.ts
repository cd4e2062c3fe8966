import * as z from "zod";
import { findPulled } from "../../lib/connectors/connectors.ts";
import { getMany, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { historicalPulls, users } from "../../lib/contract/resources.ts";
import type { HistoricalPull } from "../../lib/domain/linking/historical-pull.ts";
import { introspectionQuery, toWireHistory, wireUserHistories } from "../../lib/domain/linking/wire-introspection.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { introspect } from "../../lib/runtime/linking/introspecting.ts";

/** Lists the status of the history pulls of users by provider and resource. */
export const contract = endpoint({
  operationId: "getUserHistoricalPulls",
  method: "GET",
  path: "/v2/introspect/historical_pull",
  tag: "providers",
  summary: "List the historical pulls of users",
  auth: "team",
  params: nothing,
  query: introspectionQuery,
  response: z
    .object({ data: z.array(wireUserHistories), next: z.string().nullable(), next_cursor: z.string().nullable() })
    .meta({ id: "UserHistoricalPullsPage" }),
  access: [query(users, "team_users"), getMany(users), query(historicalPulls)],
});

/** The history pulls of one provider, and its resources without a pull. */
async function historiesOf(provider: string, pulls: readonly HistoricalPull[]) {
  const pulled = Object.fromEntries(pulls.map((pull) => [pull.resource, toWireHistory(pull)]));
  const all = (await findPulled(provider))?.resources ?? [];
  return { pulled, not_pulled: all.map(({ name }) => name).filter((name) => !(name in pulled)) };
}

export const handler = implement(contract, async ({ scope, query: asked, pages }, uses) =>
  introspect(uses.users, scope, asked, pages, async ({ user_id }) => {
    const pulls = await uses.historicalPulls.list(scope, user_id);
    const wanted = pulls.filter(({ provider }) => asked.provider === undefined || provider === asked.provider);
    const byProvider = [...Map.groupBy(wanted, ({ provider }) => provider)];
    const provider = await Promise.all(
      byProvider.map(async ([slug, ofSlug]) => [slug, await historiesOf(slug, ofSlug)] as const),
    );
    return { user_id, provider: Object.fromEntries(provider) };
  }),
);
