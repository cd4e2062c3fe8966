import type { Connector, PulledBatch, TimeWindow } from "../connector.ts";
import { type ProviderClient, readStrictly } from "../provider-client.ts";
import { listDates } from "../window-dates.ts";
import * as replies from "./replies.ts";

const ORIGIN = "https://cronometer.com";

/** Pulls the diary of each date; one request returns one date. */
async function* meals(window: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  for (const day of listDates(window)) {
    const address = `${ORIGIN}/api_v1/diary_summary`;
    const diary = await client.postJson(address, replies.diary, { day, food: true });
    if (diary.day !== day) continue;
    const eaten = (diary.foods ?? []).filter(({ foods, macros }) => (foods?.length ?? 0) > 0 || (macros.kcal ?? 0) > 0);
    yield { source_type: "app", resources: { meal: eaten.map((group) => toMeal(day, group)) } };
  }
}

/** Maps a group of the diary, which states no time: it counts as eaten at midnight UTC of its day. The written offset keeps it there. */
export function toMeal(day: string, { name, macros }: replies.DiaryGroup) {
  const { sodium, potassium, magnesium } = macros;
  const minerals = Object.entries({ sodium, potassium, magnesium }).filter(([, amount]) => amount != null);
  return {
    provider_id: `${day} ${name}`,
    calendar_date: day,
    timestamp: `${day}T00:00:00+00:00`,
    name,
    energy: macros.kcal == null ? null : { unit: "kcal", value: macros.kcal },
    macros: {
      carbs: macros.total_carbs ?? null,
      protein: macros.protein ?? null,
      fats: { total: macros.fat ?? null },
      fibre: macros.fiber ?? null,
      alcohol: macros.alcohol ?? null,
    },
    micros: { minerals: Object.fromEntries(minerals) },
  };
}

/** Cronometer's partner API; docs/connectors.md lists what was tested and against which server. */
export const cronometer: Connector = {
  slug: "cronometer",
  oauth: {
    authorizationUrl: `${ORIGIN}/oauth/authorize`,
    tokenUrl: `${ORIGIN}/oauth/token`,
    revocation: {
      kind: "own",
      revoke: async (client) => {
        const query = new URLSearchParams({ access_token: await client.accessToken() });
        await client.send(`${ORIGIN}/oauth/deauthorize?${query}`, { method: "POST" });
      },
    },
    scopes: [],
    identityScopes: [],
    scopeSeparator: " ",
    clientAuthentication: "body",
    tokenRequestForm: "query of a POST",
    pkce: false,
    fetchAccountId: async (reply) => String(readStrictly(reply, replies.tokenOwner).user_id),
  },
  historyDays: 28,
  resources: [{ name: "meal", delivers: ["meal"], windowDays: 30, scopes: [] }],
  async *pull(_, window, client) {
    yield* meals(window, client);
  },
};
