import { isApplication } from "../frame/application.ts";
import type { ProviderDesk, ProviderRules } from "../frame/provider-desk.ts";
import { type Call, formOf, granted, open, type SimulatedReply } from "../frame/simulated-http.ts";
import { stableUuid } from "../frame/stable-uuid.ts";
import { dayNumber } from "../plan/known-days.ts";
import { metricsOf, ultrahumanTruth } from "./ultrahuman-metrics.ts";

const API = "partner.ultrahuman.com/api/partners";
const refused = (status: number, error: string): SimulatedReply => ({ status, body: { data: null, error, status } });

/** Ultrahuman's partner API, according to its documentation and public implementations. */
export const ultrahuman: ProviderRules = {
  slug: "ultrahuman",
  oauth: {
    authorize: "auth.ultrahuman.com/authorise",
    token: `${API}/oauth/token`,
    clientAuthentication: ["body"],
    pkce: "none",
    scopes: ["ring_data", "cgm_data", "profile"],
    scopeSeparator: " ",
    codeSeconds: 600,
    accessSeconds: 604_800,
    refresh: "rotates",
    refreshSeconds: null,
  },
  limits: [{ seconds: 60, most: 300, of: "token" }],
  pushes: { retrySeconds: [], timeoutSeconds: 10 },
  routes: (desk) => [
    open("POST", `${API}/oauth/revoke`, (call) => revoke(desk, call)),
    granted("GET", `${API}/v1/user_data/user_info`, ["profile"], ({ grant: { account } }) => ({
      status: 200,
      body: {
        data: { user_id: stableUuid(`ultrahuman ${account}`), email: `${account}@example.com` },
        error: null,
        status: 200,
      },
    })),
    granted("GET", `${API}/v1/user_data/metrics`, ["ring_data", "cgm_data"], ({ query, grant }) => {
      const number = dayNumber(query.get("date"));
      if (number === undefined) return refused(400, "date is missing or invalid");
      const plan = desk.plan(grant.account);
      const found = metricsOf(plan, plan.day(number), desk.now());
      const metric_data = found
        .filter(({ scope }) => grant.scopes.includes(scope))
        .map(({ scope: _, ...metric }) => metric);
      return { status: 200, body: { data: { metric_data: desk.listed(metric_data) }, error: null, status: 200 } };
    }),
  ],
  unauthorized: () => refused(401, "Unauthorized"),
  forbidden: () => refused(403, "Forbidden"),
  tooMany: (_, { resetSeconds }) => ({
    ...refused(429, "Too many requests"),
    headers: { "retry-after": String(resetSeconds) },
  }),
  limitHeaders: () => ({}),
  truth: ultrahumanTruth,
};

function revoke(desk: ProviderDesk, call: Call): SimulatedReply {
  if (!isApplication(call, ["body"])) return refused(401, "Unauthorized");
  const account = desk.tokens.accountOf(formOf(call).get("token") ?? "");
  if (account !== undefined) desk.tokens.revoke(account);
  return { status: 200, body: {} };
}
