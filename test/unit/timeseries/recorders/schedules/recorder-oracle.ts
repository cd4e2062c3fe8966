import type { PlannedRequest } from "./plan.ts";
import { contentOf, type Origin, type Reading, type ReadingKey, subtypeOf } from "./reading.ts";

/** A reading of a user and an origin: what was sent, or what the service shows. */
export interface OwnedReading {
  readonly userId: string;
  readonly origin: Origin;
  readonly reading: Reading;
}

/** A request with the receipt that it got. */
export interface ReceivedRequest {
  readonly userId: string;
  readonly request: PlannedRequest;
  readonly receivedAt: number;
  readonly receiptId: string;
}

/** What one request changes if all requests are stored in order of receipt. */
export interface ExpectedOutcome {
  readonly created: OwnedReading[];
  readonly updated: OwnedReading[];
  /** Known samples that the request deletes. They count as updated, and no event contains them. */
  deletions: number;
  /** Samples of the request, with repetitions. */
  readonly samples: number;
}

/** Name of a user's origin. */
export const ownerName = (userId: string, { provider, sourceType, deviceId, appId }: Origin): string =>
  JSON.stringify([userId, provider, sourceType, deviceId, appId]);

/** Name of a sample without its owner. */
export const placeName = (key: ReadingKey): string => JSON.stringify([key.resource, key.startMs, subtypeOf(key)]);

/** Name of a sample: all parts of its identity. */
export const sampleName = ({ userId, origin, reading }: OwnedReading): string =>
  `${ownerName(userId, origin)} ${placeName(reading)}`;

/** What the samples of all received requests must be: for each sample what was received last. */
export class RecorderOracle {
  readonly #received: ReceivedRequest[] = [];

  /** All requests in order of receipt. Of one millisecond the end of the receipt id decides. */
  get received(): readonly ReceivedRequest[] {
    const tail = ({ receiptId }: ReceivedRequest) => receiptId.slice(-8);
    return this.#received.toSorted((a, b) => a.receivedAt - b.receivedAt || (tail(a) < tail(b) ? -1 : 1));
  }

  receive(one: ReceivedRequest): void {
    this.#received.push(one);
  }

  /** The samples that exist after the requests received up to an instant, by name. */
  samplesAt(untilMs = Number.POSITIVE_INFINITY): Map<string, OwnedReading> {
    const known = new Map<string, OwnedReading>();
    for (const one of this.received.filter(({ receivedAt }) => receivedAt <= untilMs))
      for (const [name, owned] of changesOf(one)) {
        if (owned) known.set(name, owned);
        else known.delete(name);
      }
    return known;
  }

  /** What each request changes if all are stored in order of receipt, by receipt id. */
  outcomes(): Map<string, ExpectedOutcome> {
    const known = new Map<string, string | undefined>();
    return new Map(
      this.received.map((one) => {
        const outcome: ExpectedOutcome = { created: [], updated: [], deletions: 0, samples: countSamples(one) };
        for (const [name, owned] of changesOf(one)) {
          const before = known.get(name);
          const now = owned && contentOf(owned.reading);
          if (owned && before === undefined) outcome.created.push(owned);
          else if (owned && before !== now) outcome.updated.push(owned);
          else if (!owned && before !== undefined) outcome.deletions++;
          known.set(name, now);
        }
        return [one.receiptId, outcome];
      }),
    );
  }
}

/** The samples that a request names, each with what it says of it last; undefined where it deletes. */
export function changesOf({ userId, request }: ReceivedRequest): Map<string, OwnedReading | undefined> {
  const { origin, sent, deleted } = request;
  const name = (reading: Reading) => sampleName({ userId, origin, reading });
  const changes = new Map<string, OwnedReading | undefined>();
  for (const reading of deleted) changes.set(name(reading), undefined);
  // A sample that a request both sends and deletes is replaced.
  for (const reading of sent) changes.set(name(reading), { userId, origin, reading });
  return changes;
}

/** The samples of a request as a receipt counts them: a deletion of a sample that is also sent does not count. */
export function countSamples({ request: { sent, deleted } }: ReceivedRequest): number {
  const names = new Set(sent.map(placeName));
  return sent.length + deleted.filter((reading) => !names.has(placeName(reading))).length;
}
