import type { BatchMessage, SampleBatch } from "../../../../lib/domain/ingest/batch.ts";
import type { Sample } from "../../../../lib/domain/timeseries/chunk/sample.ts";
import { newUser, type UserRecord } from "../../../../lib/domain/users/user.ts";
import { eventId } from "../../../../lib/events/catalogue/event-id.ts";
import type { NewEvent } from "../../../../lib/events/constructors/compose-event.ts";
import { wireSourceOf } from "../../../../lib/runtime/wire-source.ts";
import type { BatchContext, StoreResult } from "../../../../lib/services/ingest/store-samples.ts";
import { createReceiptId } from "../../../../lib/store/ingest/receipt-id.ts";
import { TeamScope } from "../../../../lib/store/team-scope.ts";
import type { SeededRandom } from "../../support/seeded-random.ts";
import { createTestEvent } from "../create-test-event.ts";

/** A batch that is stored already, and that only its end is left of. */
export interface PlannedBatch {
  readonly name: string;
  readonly context: BatchContext;
  readonly results: readonly StoreResult[];
  /** The results of a repetition: newer batches have replaced samples, and nothing grows any more. */
  readonly repeated: readonly StoreResult[];
  readonly message: BatchMessage;
  /** What it adds to the usage of its team, and to the statistics of its provider. */
  readonly counts: { readonly samples: number; readonly bytes: number };
  readonly sent: Readonly<Record<string, number>>;
}

/** A team with its users, batches, and events of the relay. */
export interface PlannedTeam {
  readonly scope: TeamScope;
  readonly users: readonly UserRecord[];
  /** A user without running batches, who is erased during the race, and this user's last batch. */
  readonly leaver: UserRecord;
  readonly lastBatch: PlannedBatch;
  readonly batches: readonly PlannedBatch[];
  readonly relayed: readonly NewEvent[];
}

/** Events of a large batch: more than one request of the bus and more than a tail holds. */
const MANY_EVENTS = 9;
/** Characters of a body that is too large to share a request. */
const LARGE_BODY_CHARACTERS = 90_000;

/** Plans the batches and events of a team, all from the same random numbers. */
export function planTeam(random: SeededRandom, nowMs: number): PlannedTeam {
  const scope = TeamScope.grant(random.uuid());
  const [leaver, ...users] = [0, 1, 2].map(() =>
    newUser({ client_user_id: "race" }, { userId: random.uuid(), teamId: scope.teamId }, new Date(nowMs).toISOString()),
  ) as [UserRecord, ...UserRecord[]];
  const relayed = Array.from({ length: random.integerBelow(3) }, (_, place) =>
    createTestEvent(scope.teamId, random.pick(users).user_id, place),
  );
  const known: NewEvent[] = [...relayed];
  const batches = Array.from({ length: 1 + random.integerBelow(3) }, (_, place) => {
    const planned = planBatch(random, { scope, user: random.pick(users), nowMs, known, place });
    known.push(...planned.results.flatMap(({ events }) => events));
    return planned;
  });
  const lastBatch = planBatch(random, { scope, user: leaver, nowMs, known: [], place: batches.length });
  return { scope, users, leaver, lastBatch, batches, relayed };
}

interface BatchDraft {
  readonly scope: TeamScope;
  readonly user: UserRecord;
  readonly nowMs: number;
  /** Events of earlier batches, which the batch may share. */
  readonly known: readonly NewEvent[];
  readonly place: number;
}

function planBatch(random: SeededRandom, { scope, user, nowMs, known, place }: BatchDraft): PlannedBatch {
  const receivedAt = nowMs - random.integerBelow(60_000);
  const receiptId = createReceiptId(receivedAt, random.uuid().replaceAll("-", "").slice(0, 16));
  const batch = planSamples(random, nowMs);
  const { user_id } = user;
  const shared = known.filter(({ reference }) => reference.user_id === user_id && random.isWithinPercent(20));
  const count = random.isWithinPercent(12) ? MANY_EVENTS : random.integerBelow(4);
  const own = Array.from({ length: count }, (_, at) => planEvent(random, scope, user_id, 100 * (place + 1) + at));
  const events = random.isWithinPercent(50) ? [...shared, ...own] : [...own, ...shared];
  const cut = random.integerBelow(events.length + 1);
  const numbers = { created: random.integerBelow(9), updated: random.integerBelow(3), unchanged: 1, refused: [] };
  const results = [
    { ...numbers, grewBytes: random.integerBelow(300), events: events.slice(0, cut) },
    {
      created: 0,
      updated: 0,
      unchanged: 0,
      refused: [],
      grewBytes: -random.integerBelow(9),
      events: events.slice(cut),
    },
  ];
  return {
    name: `batch ${scope.teamId.slice(0, 4)} ${place}`,
    context: contextOf(scope, user, batch, { receiptId, receivedAt }),
    results,
    repeated: results.map((result) => ({
      ...result,
      events: result.events.filter(() => !random.isWithinPercent(25)),
    })),
    message: messageOf(scope, user_id, { receiptId, receivedAt }),
    counts: {
      samples: numbers.created + numbers.updated,
      bytes: results.reduce((sum, { grewBytes }) => sum + grewBytes, 0),
    },
    sent: Object.fromEntries(Object.entries(batch.samples).map(([name, samples]) => [name, samples.length])),
  };
}

function planEvent(random: SeededRandom, { teamId }: TeamScope, userId: string, place: number): NewEvent {
  const filling = random.isWithinPercent(2) ? [LARGE_BODY_CHARACTERS] : [];
  const { reference, body } = createTestEvent(teamId, userId, place, ...filling);
  const version = random.isWithinPercent(15) ? 2 : 1;
  return { reference: { ...reference, version, event_id: eventId({ ...reference, version }) }, body };
}

function planSamples(random: SeededRandom, nowMs: number): SampleBatch {
  const samples = (): Sample[] =>
    Array.from({ length: 1 + random.integerBelow(4) }, () => ({
      start: nowMs - random.integerBelow(86_400_000),
      value: random.integerBelow(200),
      offsetS: null,
      type: null,
    }));
  const names = ["steps", "floors_climbed"].filter(() => random.isWithinPercent(60));
  return {
    provider: random.pick(["oura", "garmin"]),
    source_type: "ring",
    device_id: null,
    app_id: null,
    stage: "daily",
    is_final: true,
    samples: Object.fromEntries(names.map((name) => [name, samples()])),
    summaries: {},
    streams: {},
  };
}

interface Receipt {
  readonly receiptId: string;
  readonly receivedAt: number;
}

const contextOf = (scope: TeamScope, user: UserRecord, batch: SampleBatch, receipt: Receipt): BatchContext => ({
  scope,
  user,
  batch,
  source: wireSourceOf({ provider: batch.provider, type: batch.source_type, device_id: null }),
  ...receipt,
  announcement: { sendsDailyEvents: true, sendsHistoricalEvent: false },
  isLatest: async () => false,
});

const messageOf = ({ teamId }: TeamScope, user_id: string, { receiptId, receivedAt }: Receipt): BatchMessage => ({
  team_id: teamId,
  user_id,
  receipt_id: receiptId,
  received_at: receivedAt,
  content: { inline: "" },
});
