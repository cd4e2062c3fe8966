import * as z from "zod";
import { columnsToChunk } from "../../../../../lib/domain/timeseries/chunk/chunk-columns.ts";
import { getResource } from "../../../../../lib/domain/timeseries/resources.ts";
import type { UserRecord } from "../../../../../lib/domain/users/user.ts";
import { PageCursor } from "../../../../../lib/runtime/http/page-cursor.ts";
import { readTimeseriesPage } from "../../../../../lib/services/timeseries/timeseries-page.ts";
import { decodeBody } from "../../../../../lib/store/events/event-body.ts";
import { userEventsPartition } from "../../../../../lib/store/events/outbox-items.ts";
import { TeamScope } from "../../../../../lib/store/team-scope.ts";
import { type DrillResource, drillResources, fromSample, fromWire, type Origin, type WireRow } from "./reading.ts";
import type { OwnedReading } from "./recorder-oracle.ts";
import type { ScheduleFixture } from "./schedule-fixture.ts";

const RANGE = { start_date: "2026-01-01", end_date: "2026-12-31", provider: "" };
const RANGE_MS = { fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2027, 0, 1) };

interface WireOrigin {
  readonly provider: string;
  readonly type: string;
  readonly device_id: string | null;
  readonly app_id: string | null;
}
type Groups = Readonly<Record<string, readonly { readonly source: WireOrigin; readonly data: readonly WireRow[] }[]>>;

const toOrigin = ({ provider, type: sourceType, device_id: deviceId, app_id: appId }: WireOrigin): Origin => ({
  provider,
  sourceType,
  deviceId,
  appId,
});

/** Everything that the store reads of a user, now or as of an instant. */
export async function readStore(
  stage: ScheduleFixture,
  { team_id, user_id: userId }: UserRecord,
  asOfMs?: number,
): Promise<OwnedReading[]> {
  const scope = TeamScope.grant(team_id);
  const found: OwnedReading[] = [];
  for (const resource of drillResources) {
    const query = { range: RANGE_MS, isConsistent: true, asOfMs };
    for await (const slice of stage.chunks.read(scope, userId, getResource(resource), query)) {
      const { provider, sourceType, deviceId, appId, columns, from, to } = slice;
      const origin = { provider, sourceType, deviceId, appId };
      for (const sample of columnsToChunk(columns).samples.slice(from, to))
        found.push({ userId, origin, reading: fromSample(resource, sample) });
    }
  }
  return found;
}

/** The text of the first page of a resource, which holds all samples of a schedule. */
export async function readPage(
  stage: ScheduleFixture,
  { team_id, user_id }: UserRecord,
  resource: DrillResource,
): Promise<string> {
  const cursor = new PageCursor(() => "drill");
  const scope = TeamScope.grant(team_id);
  return (await readTimeseriesPage(stage.chunks, scope, user_id, getResource(resource), RANGE, cursor)).text;
}

/** Everything that the pages of a user show. */
export async function readPages(stage: ScheduleFixture, user: UserRecord): Promise<OwnedReading[]> {
  const found: OwnedReading[] = [];
  for (const resource of drillResources) {
    const { groups, next_cursor } = JSON.parse(await readPage(stage, user, resource));
    if (next_cursor !== null) throw new Error("a page does not hold all samples");
    for (const [provider, sources] of Object.entries(groups as Groups))
      for (const { source, data } of sources) {
        if (source.provider !== provider) throw new Error(`a group of ${provider} names ${source.provider}`);
        for (const row of data)
          found.push({ userId: user.user_id, origin: toOrigin(source), reading: fromWire(resource, row) });
      }
  }
  return found;
}

/** The current samples of a stream around these instants, as late attempts to send an event read them. */
export async function readAround(
  stage: ScheduleFixture,
  { team_id, user_id: userId }: UserRecord,
  { origin, resource, startsMs }: { origin: Origin; resource: DrillResource; startsMs: readonly number[] },
): Promise<OwnedReading[]> {
  const { deviceId, appId, ...source } = origin;
  const stream = { userId, resource: getResource(resource), ...source, recorder: { deviceId, appId } };
  const samples = await stage.chunks.getSamplesAround(TeamScope.grant(team_id), stream, startsMs);
  return samples.map((sample) => ({ userId, origin, reading: fromSample(resource, sample) }));
}

/** The samples of one stored event. */
export interface EventReadings {
  readonly verb: "created" | "updated";
  readonly receiptId: string;
  readonly readings: readonly OwnedReading[];
}

const eventItem = z.object({
  type: z.string(),
  key: z.string(),
  receipt_id: z.string().optional(),
  body: z.instanceof(Uint8Array),
});
const EVENT = /^daily\.data\.(\w+)\.(created|updated)$/;

/** The samples of a user's stored events, by event. */
export async function readEvents(stage: ScheduleFixture, user: UserRecord): Promise<EventReadings[]> {
  const found: EventReadings[] = [];
  const pk = userEventsPartition(user.team_id, user.user_id);
  const query = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": pk } };
  for await (const item of stage.events.queryAll(query, eventItem)) {
    const [, name, verb] = EVENT.exec(item.type) ?? [];
    const resource = drillResources.find((one) => one === name);
    if (!resource) continue;
    const { data, user_id: userId } = JSON.parse(decodeBody(item.body));
    const readings = data.data.map((row: WireRow) => ({
      userId,
      origin: toOrigin(data.source),
      reading: fromWire(resource, row),
    }));
    found.push({ verb: verb as EventReadings["verb"], receiptId: item.receipt_id ?? "", readings });
  }
  return found;
}
