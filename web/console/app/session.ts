import { request } from "../api/request.ts";
import { keepMemoryOf } from "../api/session-memory.ts";
import { providerTeam } from "./provider-sign-in.ts";
import { createStore } from "./store.ts";

/** Who is signed in, and what the session may do. */
export interface Session {
  readonly session_id: string;
  readonly org_id: string;
  readonly team_id: string;
  readonly team_name: string;
  readonly environment: string;
  readonly region: string;
  /** Whether the session also calls operations of the management API. */
  readonly manages_team: boolean;
  /** Whether the team asks people why they look at a user. */
  readonly asks_reason: boolean;
  readonly role: string;
  readonly scopes: readonly string[];
  readonly name: string;
  /** The person's subject at the provider of the team. */
  readonly subject?: string;
  readonly created_at: string;
  readonly expires_at: string;
}

/** The present session; null without one, undefined while the page asks for it. */
export const session = createStore<Session | null | undefined>(undefined);
// The first of the listeners: what belongs to a session is gone before a view of the next one appears.
session.subscribe(() => keepMemoryOf(session.get()?.session_id ?? null));

/** Whether the person changes the settings of the team. */
export const changesTeam = (present: Session | null | undefined) =>
  present?.manages_team === true && present.role === "admin";

/** Whether the person sends events again in bulk. */
export const replaysEvents = (present: Session | null | undefined) =>
  present?.manages_team === true && ["admin", "support"].includes(present.role);

/** Whether the person reads the events of the team. */
export const readsEvents = (present: Session | null | undefined) => present?.scopes.includes("webhooks") === true;

/** What the sign-in says first: why the session of this page ended, or why a ticket opened none. Empty for nothing. */
export const signInNotice = createStore("");

/** Forgets the session that the service no longer knows. @param words why it ended. */
export function forgetSession(words: string): void {
  signInNotice.set(session.get() == null ? "" : words);
  offerProvider();
  session.set(null);
}

/** The roles of sessions, each with what it is for. */
export const roles = {
  admin: "everything that the key may do",
  support: "data of users, events and replays",
  clinician: "data of users, orders and results",
  reader: "no data of users",
} as const;

interface Credentials {
  readonly key: string;
  readonly role: string;
  /** The person, as the access log shows it. */
  readonly name?: string;
}

/** Exchanges a key for a session. @throws Problem if the service does not accept the key. */
export async function signIn(credentials: Credentials): Promise<void> {
  signInNotice.set("");
  session.set(await request<Session>("/console/session", { method: "POST", body: credentials }));
}

/** Offers the provider of the team to a person who came from there. */
export function offerProvider(): void {
  const present = session.get();
  if (present?.subject !== undefined) providerTeam.set(present.team_id);
}
