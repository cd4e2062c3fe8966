import { queryOf, request } from "./request.ts";

/** An event of the feed with its place in the order of the team. The body is null once its user is deleted. */
export interface FeedEvent {
  readonly sequence: number;
  readonly event_id: string;
  readonly body: {
    readonly event_type: string;
    readonly data?: unknown;
    readonly user_id?: string;
    readonly client_user_id?: string;
  } | null;
}

/** A page of the feed in the order of the sequence. */
interface EventPage {
  readonly events: readonly FeedEvent[];
  readonly next: number;
}

/** Lists events after a sequence. */
export const listEvents = (after: number, limit: number, signal?: AbortSignal) =>
  request<EventPage>(`/v2/events${queryOf({ after, limit })}`, signal ? { signal } : {});

const FIRST_STEP = 1_024;

/**
 * Finds the last sequence. The feed has no end to ask for, so this doubles a step until nothing follows, then halves.
 * It takes about 20 small requests for a million events.
 */
async function findLastSequence(signal?: AbortSignal): Promise<number> {
  const hasAfter = async (sequence: number) => (await listEvents(sequence, 1, signal)).events.length > 0;
  if (!(await hasAfter(0))) return 0;
  let [low, step] = [0, FIRST_STEP];
  while (await hasAfter(low + step)) {
    low += step;
    step *= 2;
  }
  let high = low + step;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await hasAfter(middle)) low = middle;
    else high = middle;
  }
  return high;
}

/** Lists the newest events, newest first. */
export async function listNewestEvents(count: number, signal?: AbortSignal): Promise<readonly FeedEvent[]> {
  const last = await findLastSequence(signal);
  const { events } = await listEvents(Math.max(0, last - count), count, signal);
  return events.toReversed();
}
