import { request } from "../api/request.ts";
import { toProblem } from "../api/use-load.ts";
import {
  beginProviderSignIn,
  finishProviderSignIn,
  providerError,
  providerTeam,
  takeVisit,
} from "./provider-sign-in.ts";
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

/** Whether the person changes the settings of the team. */
export const changesTeam = (present: Session | null | undefined) =>
  present?.manages_team === true && present.role === "admin";

/** Whether the person sends events again in bulk. */
export const replaysEvents = (present: Session | null | undefined) =>
  present?.manages_team === true && ["admin", "support"].includes(present.role);

/** Whether the person reads the events of the team. */
export const readsEvents = (present: Session | null | undefined) => present?.scopes.includes("webhooks") === true;

/** Signs in with a ticket or the response of a provider in the address, or continues the session of the cookie. */
export async function resumeSession(): Promise<void> {
  const ticket = takeTicket();
  const { response, isBeginning } = takeVisit();
  const present = () => request<Session>("/console/session");
  try {
    if (ticket) session.set(await request<Session>("/console/session", { method: "POST", body: { ticket } }));
    else session.set(await (response === null ? present() : finishProviderSignIn(response)));
  } catch (thrown) {
    if (response !== null) providerError.set(toProblem(thrown).message);
    session.set(ticket || response !== null ? await present().catch(() => null) : null);
  }
  const team = providerTeam.get();
  if (isBeginning && team !== null && session.get() === null) await beginProviderSignIn(team);
}

/** Whether the session of this page ended without a sign-out. */
export const hasEnded = createStore(false);

/** Forgets the session that the service no longer knows. */
export function forgetSession(): void {
  hasEnded.set(session.get() != null);
  offerProvider();
  session.set(null);
}

/** Removes the ticket from the address before anything else runs, so that history and screenshots lack it. */
function takeTicket(): string | null {
  const query = new URLSearchParams(location.search);
  const ticket = query.get("ticket");
  if (ticket === null) return null;
  query.delete("ticket");
  const rest = query.size > 0 ? `?${query}` : "";
  history.replaceState(null, "", location.pathname + rest);
  return ticket;
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
  hasEnded.set(false);
  session.set(await request<Session>("/console/session", { method: "POST", body: credentials }));
}

/** Ends the session here and at the service. */
export async function signOut(): Promise<void> {
  await request("/console/session", { method: "DELETE" }).catch(() => undefined);
  offerProvider();
  session.set(null);
}

/** Offers the provider of the team to a person who came from there. */
function offerProvider(): void {
  const present = session.get();
  if (present?.subject !== undefined) providerTeam.set(present.team_id);
}
