import { parseInstant } from "../../../domain/shared/instant.ts";
import { type AuthorizedRequest, authorizedRoute, type Route, type SimulatedReply } from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import { listData } from "./diabetes-data.ts";
import { tidepoolUserId } from "./expected-diabetes-data.ts";

const refused = (code: number, reason: string): SimulatedReply => ({ status: code, body: { code, reason } });

/** Routes of the identity and of the data of a user. */
export function dataRoutes(provider: SimulatedProvider, realm: string, host: string): Route[] {
  return [
    authorizedRoute("GET", `${realm}/userinfo`, ["openid"], ({ grant }) => ({
      status: 200,
      body: {
        sub: tidepoolUserId(grant.account),
        email_verified: true,
        preferred_username: `${grant.account}@example.com`,
        ...(grant.scopes.includes("email") ? { email: `${grant.account}@example.com` } : {}),
      },
    })),
    authorizedRoute("GET", `${host}/auth/user`, [], ({ grant }) => ({
      status: 200,
      body: {
        emailVerified: true,
        emails: [`${grant.account}@example.com`],
        termsAccepted: "2024-01-01T00:00:00Z",
        userid: tidepoolUserId(grant.account),
        username: `${grant.account}@example.com`,
      },
    })),
    authorizedRoute("GET", `${host}/data/{user}`, [], (call) => getData(provider, call)),
  ];
}

/** All data of a user by types and time, both bounds included, without pages. */
function getData(provider: SimulatedProvider, { params, query, grant }: AuthorizedRequest): SimulatedReply {
  if (params.user !== tidepoolUserId(grant.account)) return refused(403, "Not authorized for requested operation");
  const bounds = [query.get("startDate"), query.get("endDate")];
  const [from, until] = bounds.map((text) => parseInstant(text)?.ms);
  const isBad = bounds.some((text, place) => text !== null && [from, until][place] === undefined);
  if (isBad) return refused(400, "startDate and endDate must be ISO 8601 dates");
  const types = query.get("type")?.split(",");
  const now = provider.now();
  const [fromMs, untilMs] = [from ?? 0, Math.min(until ?? now, now)];
  const found = listData(provider.person(grant.account), fromMs, untilMs)
    .filter(({ atMs, type }) => fromMs <= atMs && atMs <= untilMs && (types?.includes(type) ?? true))
    .map(({ atMs: _, ...datum }) => datum);
  return { status: 200, body: provider.applyDuplicates(found) };
}
