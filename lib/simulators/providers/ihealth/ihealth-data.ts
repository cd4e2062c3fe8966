import { DAY_MS } from "../../../domain/shared/durations.ts";
import { APP_KEYS, isApplication } from "../base/application.ts";
import { type AuthorizedRequest, authorizedRoute, type Route, type SimulatedReply } from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import { type IhealthApi, ihealthApis, toLocalSeconds } from "./ihealth-apis.ts";
import { ihealthError } from "./ihealth-error.ts";
import { ihealthUserId } from "./ihealth-oauth.ts";

const API = "api.ihealthlabs.com:8443/openapiv2/user";
const RECORDS_PER_PAGE = 50;
/** Without a start the last three months are returned. */
const DEFAULT_RANGE_MS = 91 * DAY_MS;

/** Routes of all kinds of data: oldest first, 50 records a page. */
export function ihealthDataRoutes(provider: SimulatedProvider): Route[] {
  return ihealthApis.map((api) =>
    authorizedRoute("GET", `${API}/{user}/${api.name}.json/`, [api.scope], (call) => {
      if (!isApplication(call, ["query"])) return ihealthError(401, "1002", "client_secret_mismatch");
      const { query, params, grant } = call;
      if (query.get("sc") !== APP_KEYS.sc || query.get("sv") !== APP_KEYS[`sv_${api.name}`])
        return ihealthError(403, "0003", "SC_or_SV_is_not_authorized");
      if (params.user !== ihealthUserId(grant.account)) return ihealthError(403, "0002", "is_not_authorized");
      return recordsReply(provider, api, call);
    }),
  );
}

/** Bounds and times of records are local times as if they were UTC, Unix seconds. */
function recordsReply(provider: SimulatedProvider, api: IhealthApi, call: AuthorizedRequest): SimulatedReply {
  const { query, grant } = call;
  const person = provider.person(grant.account);
  const now = provider.now();
  const start = Number(query.get("start_time") ?? Math.floor((now - DEFAULT_RANGE_MS) / 1000));
  const end = Number(query.get("end_time") ?? Math.floor((now + DAY_MS) / 1000));
  const page = Number(query.get("page_index") ?? 1);
  if (!(start <= end && Number.isInteger(page) && page >= 1)) return ihealthError(400, "5001", "invalid_parameter");
  const found = person
    .days(start * 1000 - DAY_MS, end * 1000 + DAY_MS)
    .flatMap((day) => api.list(person, day))
    .filter(({ atMs }) => atMs <= now)
    .filter(({ atMs }) => {
      const local = toLocalSeconds(person, atMs);
      return start <= local && local <= end;
    });
  const listed = found.slice((page - 1) * RECORDS_PER_PAGE, page * RECORDS_PER_PAGE).map(({ record }) => record);
  const address = (index: number) =>
    `https://${API}/${ihealthUserId(grant.account)}/${api.name}.json/?page_index=${index}`;
  const body = {
    [api.listName]: provider.applyDuplicates(listed),
    ...api.units,
    CurrentRecordCount: listed.length,
    NextPageUrl: page * RECORDS_PER_PAGE < found.length ? address(page + 1) : "",
    PageLength: RECORDS_PER_PAGE,
    PageNumber: page,
    PrevPageUrl: page > 1 ? address(page - 1) : "",
    RecordCount: found.length,
  };
  return { status: 200, body };
}
