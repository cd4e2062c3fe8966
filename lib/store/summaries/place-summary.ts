import type * as z from "zod";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import { encryptedSummary } from "./encrypted-summary.ts";
import { summaryItemKey } from "./summary-keys.ts";
import {
  type IncomingSummary,
  isReceivedLater,
  isRecordedBy,
  naturalKey,
  type PlacedSummary,
  sharedKey,
} from "./summary-record.ts";

type StoredItem = z.output<typeof encryptedSummary>;

/** The key of an incoming summary, and the item that is stored under it. */
interface Placement {
  readonly placed: PlacedSummary;
  readonly item: StoredItem | undefined;
}

/**
 * Finds the key under which an incoming summary is stored. That is its natural key, or the key without recorder if an
 * earlier version stored a summary of its recorder there: that summary keeps its key and its id. One request.
 */
export async function placeSummary(table: Table, scope: TeamScope, incoming: IncomingSummary): Promise<Placement> {
  const own = naturalKey(incoming);
  if (!own.recorder) {
    const item = await table.get(summaryItemKey(scope, own), encryptedSummary);
    return { placed: { ...incoming, place: own }, item };
  }
  const shared = sharedKey(incoming);
  const keys = [own, shared].map((key) => summaryItemKey(scope, key));
  const items = await table.getMany(keys, encryptedSummary);
  const [ofOwn, ofShared] = keys.map(({ sk }) => items.find((item) => item.sk === sk));
  const isShared = ofShared && isRecordedBy(ofShared, incoming) && !(ofOwn && isReplacedBy(ofShared, ofOwn));
  return isShared
    ? { placed: { ...incoming, place: shared }, item: ofShared }
    : { placed: { ...incoming, place: own }, item: ofOwn };
}

/** Yields the items of a query, in the order of their keys, without the replaced ones. */
export async function* withoutReplaced(items: AsyncIterable<StoredItem>): AsyncGenerator<StoredItem> {
  let group: StoredItem[] = [];
  for await (const item of items) {
    if (group[0] && !isOfRecorder(item, group[0])) {
      yield* standing(group);
      group = [];
    }
    group.push(item);
  }
  yield* standing(group);
}

/** Whether the key of an item is another one with a recorder. Recorder keys contain no separator. */
const isOfRecorder = ({ sk }: StoredItem, shared: StoredItem) =>
  sk.startsWith(`${shared.sk}#`) && !sk.includes("#", shared.sk.length + 1);

/**
 * Selects the current ones of a summary without recorder and those of recorders with the same key. A summary from the
 * source replaces a derived one. Two summaries of one recorder exist if an earlier version of the service wrote beside
 * this one during a deployment; the one received later is current.
 */
function standing([shared, ...others]: readonly StoredItem[]): StoredItem[] {
  if (!shared) return [];
  const isOfSameRecorder = ({ device_id: deviceId, app_id: appId = null }: StoredItem) =>
    isRecordedBy(shared, { deviceId, appId });
  if (others.some((own) => isOfSameRecorder(own) && isReplacedBy(shared, own))) return others;
  if (shared.derived !== undefined && others.length > 0) return others;
  return [shared, ...others.filter((own) => !isOfSameRecorder(own))];
}

const isReplacedBy = (shared: StoredItem, own: StoredItem) =>
  shared.derived !== undefined || !isReceivedLater(shared, own);
