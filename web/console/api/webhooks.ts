import { Problem, queryOf, request } from "./request.ts";
import { createSessionStore } from "./session-memory.ts";

/** An endpoint of the team. */
export interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly rate_limit: number | null;
  readonly disabled: boolean;
  readonly disabled_reason: string | null;
  readonly filter_types: readonly string[];
  readonly format: string;
  readonly created_at: string;
}

/** An event on its way to an endpoint. */
export interface Message {
  readonly event_id: string;
  readonly user_id: string | null;
  readonly event_type: string;
  readonly state: string;
  readonly reason: string | null;
  readonly created_at: string;
  readonly attempt_count: number;
  readonly last_status: number | null;
  readonly next_attempt_at: string | null;
}

/** One attempt to deliver a message, with the first kilobyte of the response. */
export interface Attempt {
  readonly at: string;
  readonly status: number | null;
  readonly duration_ms: number;
  readonly response: string;
  readonly error: string | null;
}

/** The secret of a portal session, which lives an hour at most, and no longer than the session of the page. */
const secret = createSessionStore<Promise<string> | undefined>(() => undefined);

/** The routes of the webhook portal need a session of their own, which a key or a session of the console creates. */
async function openPortal(): Promise<string> {
  const { url } = await request<{ readonly url: string }>("/v2/team/svix/url");
  return new URL(url).hash.slice(1);
}

async function ask<Answer>(path: string, options: { method?: "POST"; body?: unknown; signal?: AbortSignal } = {}) {
  const opened = secret.get() ?? openPortal();
  secret.set(opened);
  opened.catch(() => secret.set(undefined));
  try {
    const headers = { "x-portal-session": await opened };
    return await request<Answer>(`/v2/portal/webhook${path}`, { ...options, headers });
  } catch (error) {
    // The session may have expired: the next call opens another one.
    if (error instanceof Problem && error.status === 401) secret.set(undefined);
    throw error;
  }
}

interface List<Item> {
  readonly data: readonly Item[];
  readonly next_cursor?: string | null;
}

/** A page of messages. */
export type MessageList = List<Message>;

/** Lists the endpoints of the team, oldest first. */
export const listEndpoints = async (signal?: AbortSignal) =>
  (await ask<List<Endpoint>>("", signal ? { signal } : {})).data.toSorted((one, other) =>
    one.created_at.localeCompare(other.created_at),
  );

/** Lists the messages of an endpoint, newest first. */
export const listMessages = (endpointId: string, status: string, signal: AbortSignal) =>
  ask<List<Message>>(`/${endpointId}/message${queryOf({ limit: 50, status })}`, { signal });

/** Most pages of messages that the search for missing events reads. */
const MAX_MESSAGE_PAGES = 10;

/** Ids of the newest messages of an endpoint, at most a thousand. */
export async function listMessageIds(endpointId: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  let next_cursor: string | null | undefined;
  for (let page = 0; page < MAX_MESSAGE_PAGES && next_cursor !== null; page++) {
    const query = queryOf({ limit: 100, next_cursor });
    const list = await ask<List<Message>>(`/${endpointId}/message${query}`, { signal });
    for (const { event_id } of list.data) ids.add(event_id);
    next_cursor = list.next_cursor ?? null;
  }
  return ids;
}

const messagePath = (endpointId: string, eventId: string, what: string, userId: string | null | undefined) =>
  `/${endpointId}/message/${eventId}/${what}${queryOf({ user_id: userId ?? undefined })}`;

/** Lists the attempts of a message, oldest first. */
export const listAttempts = async (
  endpointId: string,
  eventId: string,
  userId: string | null | undefined,
  signal: AbortSignal,
) => (await ask<List<Attempt>>(messagePath(endpointId, eventId, "attempt", userId), { signal })).data;

/** Sends a message again. */
export const resend = (endpointId: string, eventId: string, userId: string | null | undefined) =>
  ask<Message>(messagePath(endpointId, eventId, "resend", userId), { method: "POST" });

/** Sends an example of an event to one endpoint. */
export const sendTest = (endpointId: string, eventType: string) =>
  ask<Message>(`/${endpointId}/test`, { method: "POST", body: { event_type: eventType } });
