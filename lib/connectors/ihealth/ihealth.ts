import type * as z from "zod";
import { DAY_MS } from "../../domain/shared/durations.ts";
import { type BodyMeasurement, toBodyDays } from "../../domain/summaries/body-days.ts";
import type { Connector, PulledBatch, TimeWindow } from "../connector.ts";
import { type ProviderClient, readStrictly } from "../provider-client.ts";
import * as map from "./map.ts";
import * as replies from "./replies.ts";

const ORIGIN = "https://api.ihealthlabs.com:8443";
/** Authorization, codes and refreshes have one address. */
const AUTHORIZATION = `${ORIGIN}/OpenApiV2/OAuthv2/userauthorization/`;

/** A kind of data. */
interface Api {
  /** The name of its address, and of its key `sv_<name>`. */
  readonly name: string;
  readonly scope: string;
  readonly sourceType: string;
  readonly delivers: readonly string[];
  readonly read: (page: Page) => Promise<PageContent>;
}

/** The records of a page, its measurements of days, and the number of the page that follows, if there is one. */
interface PageContent {
  readonly records: PulledBatch["resources"];
  readonly bodies: readonly BodyMeasurement[];
  readonly next: number | undefined;
}

/** Fetches the page of a pull with a schema. */
type Page = <S extends z.ZodType>(schema: S) => Promise<z.output<S>>;

const reader =
  <T extends { readonly NextPageUrl?: string | null | undefined }>(
    schema: z.ZodType<T>,
    toRecords: (reply: T) => PulledBatch["resources"],
    toBodies: (reply: T) => readonly BodyMeasurement[] = () => [],
  ): Api["read"] =>
  async (page) => {
    const reply = await page(schema);
    const next = reply.NextPageUrl ? Number(new URL(reply.NextPageUrl).searchParams.get("page_index")) : undefined;
    return { records: toRecords(reply), bodies: toBodies(reply), next };
  };

const apis: Readonly<Record<string, Api>> = {
  blood_pressure: {
    name: "bp",
    scope: "OpenApiBP",
    sourceType: "cuff",
    delivers: ["blood_pressure", "heartrate"],
    read: reader(replies.bloodPressure, map.toBloodPressure),
  },
  glucose: {
    name: "glucose",
    scope: "OpenApiBG",
    sourceType: "fingerprick",
    delivers: ["glucose"],
    read: reader(replies.glucose, map.toGlucose),
  },
  weight: {
    name: "weight",
    scope: "OpenApiWeight",
    sourceType: "scale",
    delivers: ["body", "body_weight", "body_fat"],
    read: reader(replies.weight, map.toWeight, map.toBodyMeasurements),
  },
  blood_oxygen: {
    name: "spo2",
    scope: "OpenApiSpO2",
    sourceType: "unknown",
    delivers: ["blood_oxygen", "heartrate"],
    read: reader(replies.oxygen, map.toOxygen),
  },
  activity: {
    name: "activity",
    scope: "OpenApiActivity",
    sourceType: "watch",
    delivers: ["activity"],
    read: reader(replies.activity, map.toActivity),
  },
  sleep: {
    name: "sleep",
    scope: "OpenApiSleep",
    sourceType: "watch",
    delivers: ["sleep"],
    read: reader(replies.sleep, map.toSleep),
  },
};

/**
 * Pulls a kind of data. Bounds, like times of records, are local. The range is wider than the window by two days, so
 * that it has every local day of the window as a whole.
 */
async function* pullApi(api: Api, { startMs, endMs }: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const range = { startMs: startMs - 2 * DAY_MS, endMs: endMs + 2 * DAY_MS };
  const { clientId, clientSecret } = await client.app();
  const address = `${ORIGIN}/openapiv2/user/${encodeURIComponent(client.accountId)}/${api.name}.json/`;
  const query = {
    client_id: clientId,
    client_secret: clientSecret,
    sc: await client.appKey("sc"),
    sv: await client.appKey(`sv_${api.name}`),
    start_time: Math.floor(range.startMs / 1000),
    end_time: Math.ceil(range.endMs / 1000),
  };
  const measured: BodyMeasurement[] = [];
  for (let page_index: number | undefined = 1; page_index !== undefined; ) {
    const page = { ...query, page_index };
    const { records, bodies, next } = await api.read((schema) => client.get(address, schema, page));
    yield { source_type: api.sourceType, resources: records };
    measured.push(...bodies);
    page_index = next !== undefined && next > page_index ? next : undefined;
  }
  const body = toBodyDays(measured.filter(({ calendar_date }) => isWhole(calendar_date, range)));
  if (body.length > 0) yield { source_type: api.sourceType, resources: { body } };
}

/** Whether a range of local times contains a local date as a whole. An invalid date stays, to be reported. */
function isWhole(date: string, { startMs, endMs }: TimeWindow): boolean {
  const beginMs = Date.parse(date);
  return !(beginMs < startMs || beginMs + DAY_MS > endMs);
}

/** Converts a token response or an error to the form of RFC 6749. */
function toStandardResponse(body: unknown): unknown {
  const { data } = replies.tokens.safeParse(body);
  if (data)
    return {
      access_token: data.AccessToken,
      refresh_token: data.RefreshToken,
      token_type: "bearer",
      user_id: data.UserID,
      ...(data.Expires === null ? {} : { expires_in: data.Expires }),
      ...(data.APIName ? { scope: data.APIName } : {}),
    };
  const code = replies.refusal.safeParse(body).data?.ErrorCode;
  if (code === undefined) return {};
  // Codes from 1001 name the application, codes from 2001 the grant.
  return { error: /^1\d{3}$/.test(String(code)) ? "invalid_client" : "invalid_grant" };
}

/** Codes of an access token that is not valid, and of data that the user does not share. */
const TOKEN_CODE = "2002";
const FORBIDDEN_CODES: readonly string[] = ["0001", "0002", "2003"];

/** The status of a response. The documents state codes of errors in the body, but no statuses for them. */
function toHttpStatus(body: unknown): number {
  const { data } = replies.refusal.safeParse(body);
  const code = String(data?.ErrorCode ?? 0).padStart(4, "0");
  if (code === "0000") return 200;
  if (code === TOKEN_CODE) return 401;
  return FORBIDDEN_CODES.includes(code) ? 403 : 502;
}

/** A refresh names its kind `response_type`. */
function renameParameters(form: URLSearchParams): URLSearchParams {
  if (form.get("grant_type") !== "refresh_token") return form;
  form.delete("grant_type");
  form.set("response_type", "refresh_token");
  return form;
}

const scopes = Object.values(apis).map(({ scope }) => scope);

/** iHealth OpenAPI V2; docs/connectors.md lists what was tested and against which server. */
export const ihealth: Connector = {
  slug: "ihealth",
  oauth: {
    authorizationUrl: AUTHORIZATION,
    tokenUrl: AUTHORIZATION,
    scopes,
    identityScopes: [],
    scopeSeparator: " ",
    scopeParameter: "APIName",
    clientAuthentication: "body",
    tokenRequestForm: "query of a GET",
    renameParameters,
    pkce: false,
    refreshRequiresRedirectUri: true,
    unwrap: toStandardResponse,
    fetchAccountId: async (reply) => readStrictly(reply, replies.tokenOwner).user_id,
  },
  historyDays: 180,
  lateUploadDays: 14,
  resources: Object.entries(apis).map(([name, { delivers, scope }]) => ({
    name,
    delivers,
    windowDays: 30,
    scopes: [scope],
  })),
  tokenPlace: { parameter: "access_token" },
  statusFromBody: toHttpStatus,
  async *pull(name, window, client) {
    const api = apis[name];
    if (api) yield* pullApi(api, window, client);
  },
};
