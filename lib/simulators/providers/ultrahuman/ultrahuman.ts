import { isApplication } from "../base/application.ts";
import {
  authorizedRoute,
  parseForm,
  publicRoute,
  type RoutedRequest,
  type SimulatedReply,
} from "../base/simulated-http.ts";
import type { ProviderDefinition, SimulatedProvider } from "../base/simulated-provider.ts";
import { stableUuid } from "../base/stable-ids.ts";
import { parseDayNumber } from "../synthetic-data/available-data.ts";
import { expectedUltrahumanRecords, listDayMetrics } from "./ultrahuman-metrics.ts";

const API = "partner.ultrahuman.com/api/partners";
const errorReply = (status: number, error: string): SimulatedReply => ({ status, body: { data: null, error, status } });

/** Ultrahuman's partner API, according to its documentation and public implementations. */
export const ultrahumanDefinition: ProviderDefinition = {
  slug: "ultrahuman",
  oauth: {
    authorizationEndpoint: "auth.ultrahuman.com/authorise",
    tokenEndpoint: `${API}/oauth/token`,
    clientAuthentication: ["body"],
    pkce: "none",
    scopes: ["ring_data", "cgm_data", "profile"],
    scopeSeparator: " ",
    codeSeconds: 600,
    accessSeconds: 604_800,
    refresh: "rotates",
    refreshSeconds: null,
  },
  rateLimits: [{ seconds: 60, limit: 300, scope: "token" }],
  pushPolicy: { retrySeconds: [], timeoutSeconds: 10 },
  routes: (provider) => [
    publicRoute("POST", `${API}/oauth/revoke`, (call) => revoke(provider, call)),
    authorizedRoute("GET", `${API}/v1/user_data/user_info`, ["profile"], ({ grant: { account } }) => ({
      status: 200,
      body: {
        data: { user_id: stableUuid(`ultrahuman ${account}`), email: `${account}@example.com` },
        error: null,
        status: 200,
      },
    })),
    authorizedRoute("GET", `${API}/v1/user_data/metrics`, ["ring_data", "cgm_data"], ({ query, grant }) => {
      const number = parseDayNumber(query.get("date"));
      if (number === undefined) return errorReply(400, "date is missing or invalid");
      const person = provider.person(grant.account);
      const found = listDayMetrics(person, person.day(number), provider.now());
      const metric_data = found
        .filter(({ scope }) => grant.scopes.includes(scope))
        .map(({ scope: _, ...metric }) => metric);
      return {
        status: 200,
        body: { data: { metric_data: provider.applyDuplicates(metric_data) }, error: null, status: 200 },
      };
    }),
  ],
  unauthorized: () => errorReply(401, "Unauthorized"),
  forbidden: () => errorReply(403, "Forbidden"),
  tooManyRequests: (_, { resetSeconds }) => ({
    ...errorReply(429, "Too many requests"),
    headers: { "retry-after": String(resetSeconds) },
  }),
  rateLimitHeaders: () => ({}),
  expectedRecords: expectedUltrahumanRecords,
};

function revoke(provider: SimulatedProvider, call: RoutedRequest): SimulatedReply {
  if (!isApplication(call, ["body"])) return errorReply(401, "Unauthorized");
  const account = provider.tokens.findAccount(parseForm(call).get("token") ?? "");
  if (account !== undefined) provider.tokens.revoke(account);
  return { status: 200, body: {} };
}
