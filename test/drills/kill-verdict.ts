import { orderRequest } from "../local/service/orders/order-helpers.ts";
import type { LocalJson } from "../local/service/platform/local-run/started-process.ts";
import { batchHeartRates, type JournalEntry, type KillClient, sendRequest } from "./kill-client.ts";

/** Comparison of the stored data with the clients' journals. */
export interface KillVerdict {
  readonly acknowledged: number;
  readonly unanswered: number;
  readonly completedUnanswered: number;
  readonly events: number;
  readonly problems: readonly string[];
}

interface Entry {
  readonly event_id: string;
  readonly sequence: number;
  readonly body: { readonly event_type: string; readonly data?: unknown };
}

/** Compares the clients' journals with the data of the service. */
export async function verifyWrites(local: LocalJson, clients: readonly KillClient[]): Promise<KillVerdict> {
  const feed = await feedOf(local);
  const feedText = JSON.stringify(feed);
  const problems = [...(await listUndelivered(local, feed)), ...gapsOf(feed)];
  let [acknowledged, unanswered, completedUnanswered] = [0, 0, 0];
  for (const { journal } of clients) {
    const batches = new Map<string, { kept: number[]; perhaps: number[] }>();
    for (const written of journal) {
      if (written.id === undefined) unanswered++;
      else acknowledged++;
      if (written.kind === "batch") recordBatch(batches, written);
      const { problem, isThere } = await verifyOne(local, written, feedText);
      if (problem) problems.push(`${written.kind} ${written.name}: ${problem}`);
      if (written.id === undefined && isThere) completedUnanswered++;
    }
    for (const [userId, rates] of batches) problems.push(...(await checkRates(local, userId, rates)));
  }
  return { acknowledged, unanswered, completedUnanswered, events: feed.length, problems };
}

function recordBatch(
  batches: Map<string, { kept: number[]; perhaps: number[] }>,
  { userId = "", name, id }: JournalEntry,
) {
  const rates = batches.get(userId) ?? { kept: [], perhaps: [] };
  const instants = batchHeartRates(Number(name)).map(({ timestamp }) => Date.parse(timestamp));
  (id === undefined ? rates.perhaps : rates.kept).push(...instants);
  batches.set(userId, rates);
}

type Verified = { readonly problem?: string | undefined; readonly isThere: boolean };

function verifyOne(local: LocalJson, written: JournalEntry, feedText: string): Promise<Verified> {
  if (written.kind === "user") return verifyUser(local, written);
  if (written.kind === "order") return verifyOrder(local, written, feedText);
  return verifyBatch(local, written, feedText);
}

/** The service finds a user both by id and by reference, or by neither. */
async function verifyUser(local: LocalJson, { name, id }: JournalEntry): Promise<Verified> {
  const found = await sendRequest(local, "GET", `/v2/user/resolve/${name}`);
  if (id === undefined && found.status === 404) return { isThere: false };
  const read = await sendRequest(local, "GET", `/v2/user/${id ?? found.body.user_id}`);
  const again = await sendRequest(local, "POST", "/v2/user", { client_user_id: name });
  const isWhole =
    found.body.user_id === (id ?? found.body.user_id) &&
    read.body.client_user_id === name &&
    again.status === 400 &&
    again.body.user_id === found.body.user_id;
  const problem = isWhole ? undefined : JSON.stringify([found, read, again]).slice(0, 400);
  return { problem, isThere: true };
}

/** An accepted batch is stored, and the feed contains its events. */
async function verifyBatch(local: LocalJson, { userId, id }: JournalEntry, feedText: string): Promise<Verified> {
  if (id === undefined) return { isThere: false };
  const { body } = await sendRequest(local, "GET", `/v2/ingest/${userId}/${id}`);
  const isDone = body.status === "done" && body.stored + body.updated + body.unchanged === 3;
  const lacking = (body.event_ids ?? []).filter((event: string) => !feedText.includes(event));
  const isPublished = body.event_ids?.length > 0 && lacking.length === 0;
  return { problem: isDone && isPublished ? undefined : JSON.stringify(body).slice(0, 400), isThere: true };
}

/** A repeated request returns the one existing order, and the feed contains its events. */
async function verifyOrder(
  local: LocalJson,
  { name, userId = "", id }: JournalEntry,
  feedText: string,
): Promise<Verified> {
  const before = await sendRequest(local, "GET", `/v3/orders?user_id=${userId}`);
  const again = await sendRequest(local, "POST", "/v3/order", orderRequest(userId), name);
  const after = await sendRequest(local, "GET", `/v3/orders?user_id=${userId}`);
  const isThere = before.body.total === after.body.total;
  const orderId = again.body.order?.id;
  const isSame = again.status === 200 && orderId === (id ?? orderId) && (isThere || id === undefined);
  const isPublished = !isThere || feedText.includes(`"${orderId}"`);
  const isOnce = after.body.orders.filter((one: { id: string }) => one.id === orderId).length === 1;
  const isWhole = isSame && isPublished && isOnce;
  return {
    problem: isWhole ? undefined : JSON.stringify([again, isThere, isPublished, isOnce]).slice(0, 400),
    isThere,
  };
}

async function checkRates(local: LocalJson, userId: string, { kept, perhaps }: { kept: number[]; perhaps: number[] }) {
  const query = "start_date=2026-01-01&end_date=2026-02-01";
  const { body } = await sendRequest(local, "GET", `/v2/timeseries/${userId}/heartrate?${query}`);
  const read = body.map(({ timestamp }: { timestamp: string }) => Date.parse(timestamp));
  const lost = kept.filter((at) => !read.includes(at));
  const strange = read.filter((at: number) => !kept.includes(at) && !perhaps.includes(at));
  const some = perhaps.filter((at) => read.includes(at)).length;
  const isHalf = some > 0 && some < perhaps.length;
  const isDouble = new Set(read).size !== read.length;
  const isWrong = lost.length + strange.length > 0 || isHalf || isDouble;
  return isWrong ? [`samples of ${userId}: ${JSON.stringify({ lost, strange, isHalf, isDouble })}`] : [];
}

/** All events of the team, sorted by sequence. */
async function feedOf(local: LocalJson): Promise<Entry[]> {
  const all: Entry[] = [];
  for (let after = 0; ; ) {
    const { body } = await sendRequest(local, "GET", `/v2/events?after=${after}&limit=500`);
    if (body.events.length === 0) return all;
    all.push(...body.events);
    after = body.next;
  }
}

const gapsOf = (feed: readonly Entry[]): string[] =>
  feed.flatMap(({ sequence }, index) => (sequence === index + 1 ? [] : [`sequence ${sequence} at ${index + 1}`]));

/** Lists the events that the receiver did not get. */
async function listUndelivered(local: LocalJson, feed: readonly Entry[]): Promise<string[]> {
  const { body } = await sendRequest(local, "GET", "/_local/inbox");
  const arrived = new Set(
    body.deliveries.map(({ headers }: { headers: Record<string, string> }) => headers["webhook-id"]),
  );
  const missing = feed.filter(({ event_id }) => !arrived.has(event_id));
  return missing.map(({ event_id, body: { event_type } }) => `${event_id} (${event_type}) was not delivered`);
}
