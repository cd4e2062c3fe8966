import * as z from "zod";
import { parseInstant } from "../../domain/shared/instant.ts";
import type { Connector, PulledBatch, TimeWindow } from "../connector.ts";
import { groupByRecorder } from "../group-by-recorder.ts";
import type { ProviderClient } from "../provider-client.ts";
import { toCarbohydrates, toGlucose, toInsulin } from "./map-data.ts";
import * as replies from "./replies.ts";

const ISSUER = "https://auth.tidepool.org/realms/tidepool";
const ENDPOINTS = `${ISSUER}/protocol/openid-connect`;
const API = "https://api.tidepool.org";
/** The API does not paginate; a sensor delivers some 8,600 readings in this time. */
const WINDOW_DAYS = 30;

/** Source types by data type; the others are logged by the user. */
const sourceTypes: Readonly<Record<string, string>> = { cbg: "automatic", smbg: "fingerprick", bolus: "insulin_pump" };

interface Kind<S extends z.ZodType> {
  readonly name: string;
  readonly types: readonly string[];
  readonly item: S;
  readonly read: (datum: z.output<S>) => readonly Readonly<Record<string, unknown>>[];
}

/** Pulls the data of some types in a window, in batches of a type and a device. */
function puller<S extends z.ZodType<{ type: string; time: string; deviceId?: string | null | undefined }>>(
  kind: Kind<S>,
) {
  return async function* pull({ startMs, endMs }: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
    const range = { startDate: new Date(startMs).toISOString(), endDate: new Date(endMs).toISOString() };
    const query = { type: kind.types.join(","), ...range };
    const found = await client.get(`${API}/data/${client.accountId}`, z.array(kind.item), query);
    // Both bounds are included, so the end belongs to the next window.
    const own = found.filter(({ time }) => (parseInstant(time)?.ms ?? 0) < endMs);
    for (const [type, ofType] of Map.groupBy(own, (one) => one.type)) {
      for (const { recorder, records } of groupByRecorder(ofType, ({ deviceId }) => ({ device_id: deviceId }))) {
        const resources = { [kind.name]: records.flatMap(kind.read) };
        yield { source_type: sourceTypes[type] ?? "unknown", ...recorder, resources };
      }
    }
  };
}

const pulls: Readonly<Record<string, (window: TimeWindow, client: ProviderClient) => AsyncGenerator<PulledBatch>>> = {
  glucose: puller({ name: "glucose", types: ["cbg", "smbg"], item: replies.glucose, read: toGlucose }),
  insulin_injection: puller({
    name: "insulin_injection",
    types: ["bolus", "insulin"],
    item: replies.dose,
    read: toInsulin,
  }),
  carbohydrates: puller({
    name: "carbohydrates",
    types: ["food", "wizard"],
    item: replies.meal,
    read: toCarbohydrates,
  }),
};

/** Tidepool API; docs/connectors.md lists what was tested and against which server. */
export const tidepool: Connector = {
  slug: "tidepool",
  oauth: {
    authorizationUrl: `${ENDPOINTS}/auth`,
    tokenUrl: `${ENDPOINTS}/token`,
    revocation: { kind: "standard", url: `${ENDPOINTS}/revoke` },
    scopes: ["openid", "offline_access"],
    identityScopes: [],
    scopeSeparator: " ",
    clientAuthentication: "body",
    pkce: true,
    issuer: ISSUER,
    fetchAccountId: async (_, client) => (await client.get(`${API}/auth/user`, replies.user)).userid,
  },
  tokenPlace: { header: "x-tidepool-session-token" },
  historyDays: 90,
  // Users upload pumps and meters by hand, often before a visit at the clinic.
  lateUploadDays: 30,
  resources: Object.keys(pulls).map((name) => ({ name, delivers: [name], windowDays: WINDOW_DAYS, scopes: [] })),
  async *pull(name, window, client) {
    yield* pulls[name]?.(window, client) ?? [];
  },
};
