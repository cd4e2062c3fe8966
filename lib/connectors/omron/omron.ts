import { HOUR_MS } from "../../domain/shared/durations.ts";
import { parseInstant } from "../../domain/shared/instant.ts";
import type { Connector, PulledBatch, TimeWindow } from "../connector.ts";
import { formatUtc } from "../format-utc.ts";
import { groupByRecorder } from "../group-by-recorder.ts";
import { readSubject } from "../id-token.ts";
import type { ProviderClient } from "../provider-client.ts";
import { hasPushKey } from "../push-key.ts";
import * as replies from "./replies.ts";

const AUTH = "https://oauth.omronwellness.com/connect";
const API = "https://api.omronwellness.com/api";
const PAGE_SIZE = 500;
const WINDOW_DAYS = 90;
/** A push states when data was uploaded. A cuff keeps readings, so they may be this much older. */
const UPLOAD_DELAY_MS = 72 * HOUR_MS;

/** Formats an instant without fractions of a second. */
const formatTime = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** Seconds of an offset such as `-07:00`. */
const toOffset = (text: string | null | undefined) => parseInstant(`1970-01-01T00:00:00${text}`)?.offsetS ?? null;

/** The instant of a reading, which a reply states twice. */
const findInstant = ({ dateTime, dateTimeLocal, dateTimeUtcOffset }: replies.Reading) =>
  parseInstant(dateTime) ?? parseInstant(`${dateTimeLocal}${dateTimeUtcOffset}`);

const toTime = (one: replies.Reading) => {
  const instant = findInstant(one);
  const timestamp = instant ? formatUtc(instant.ms) : (one.dateTime ?? "");
  return { timestamp, timezone_offset: toOffset(one.dateTimeUtcOffset) };
};

/** Maps a reading: mmHg and bpm in both models. */
const toPressure = (one: replies.Reading) =>
  one.systolic && one.diastolic ? [{ ...toTime(one), systolic: one.systolic, diastolic: one.diastolic }] : [];
const toPulse = (one: replies.Reading) => (one.pulse ? [{ ...toTime(one), value: one.pulse }] : []);

/** Pulls readings from the start of a window. A truncated list continues with its last reading. */
async function* readings({ startMs, endMs }: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const seen = new Set<number>();
  for (let sinceMs = startMs; sinceMs < endMs; ) {
    const form = { type: "bloodpressure", since: formatTime(sinceMs), limit: String(PAGE_SIZE), sortOrder: "asc" };
    const { result } = await client.post(`${API}/measurement`, replies.measurements, form);
    const all = result.bloodPressure ?? [];
    const times = all.map((one) => findInstant(one)?.ms ?? Number.NaN);
    const isOwn = (ms: number | undefined) => ms !== undefined && !(ms >= endMs || ms < startMs);
    const own = all.filter(({ id }, place) => isOwn(times[place]) && !(id != null && seen.has(id)));
    for (const { id } of own) if (id != null) seen.add(id);
    for (const { recorder, records } of groupByRecorder(own, ({ deviceType }) => ({ device_id: deviceType }))) {
      const resources = { blood_pressure: records.flatMap(toPressure), heartrate: records.flatMap(toPulse) };
      yield { source_type: "cuff", ...recorder, resources };
    }
    const last = Math.max(...times.filter(Number.isFinite));
    // A list that ends before its bound would repeat forever.
    if (!result.truncated || !(last >= Date.parse(form.since))) return;
    // The bound is included and has whole seconds: a page within one second must not repeat itself.
    sinceMs = formatTime(last) === form.since ? last + 1_000 : last;
  }
}

/** The status of a response; 200 is no success if the body states a failure. */
function toHttpStatus(body: unknown): number {
  const { success, data } = replies.outcome.safeParse(body);
  if (!success || data.status === 0) return 200;
  const code = Number(data.errorCode);
  return code >= 400 && code <= 599 ? code : 502;
}

/** Omron Wellness API for the United States; docs/connectors.md lists what was tested and against which server. */
export const omron: Connector = {
  slug: "omron",
  oauth: {
    authorizationUrl: `${AUTH}/authorize`,
    tokenUrl: `${AUTH}/token`,
    revocation: { kind: "standard", url: `${AUTH}/revocation` },
    scopes: ["bloodpressure", "openid", "offline_access"],
    identityScopes: ["openid"],
    scopeSeparator: " ",
    clientAuthentication: "body",
    pkce: false,
    refreshRequiresRedirectUri: true,
    fetchAccountId: async (reply) => readSubject(reply),
  },
  historyDays: 180,
  resources: [
    {
      name: "blood_pressure",
      delivers: ["blood_pressure", "heartrate"],
      windowDays: WINDOW_DAYS,
      scopes: ["bloodpressure"],
    },
  ],
  statusFromBody: toHttpStatus,
  push: {
    verify: (request, app) => hasPushKey(request, app, "omron"),
    parse: ({ body }) => {
      const { id, timestamp } = replies.pushForm.parse(Object.fromEntries(new URLSearchParams(body)));
      const ms = parseInstant(timestamp)?.ms;
      if (ms === undefined) throw new SyntaxError("the timestamp is not an instant");
      const window = { startMs: ms - UPLOAD_DELAY_MS, endMs: ms + HOUR_MS };
      return [{ accountId: id, changed: { resource: "blood_pressure", window } }];
    },
  },
  async *pull(name, window, client) {
    if (name === "blood_pressure") yield* readings(window, client);
  },
};
