import { type Problem, request } from "../api/request.ts";
import { toProblem } from "../api/use-load.ts";
import {
  beginProviderSignIn,
  finishProviderSignIn,
  providerError,
  providerTeam,
  takeVisit,
  type Visit,
} from "./provider-sign-in.ts";
import { type Session, session, signInNotice } from "./session.ts";
import { finishSignOut, resumeSignOut } from "./sign-out.ts";
import { createStore } from "./store.ts";

/** Why the page does not know whether it has a session; null once it does. */
export const resumeProblem = createStore<Problem | null>(null);

/** What brought the browser here. */
interface Arrival extends Visit {
  readonly ticket: string | null;
}

const nothing: Arrival = { ticket: null, response: null, isBeginning: false };
let arrival = nothing;

/** Reads and cleans the address, then signs in or continues a session. */
export async function startSession(): Promise<void> {
  arrival = { ticket: takeTicket(), ...takeVisit() };
  resumeSignOut();
  await resumeSession();
}

/**
 * Finishes a sign-out that is left. Then it signs in with a ticket or the response of a provider, or continues the session
 * of the cookie. A failure that says nothing of the session, such as a lost connection, leads to {@link resumeProblem}; call
 * this again then.
 */
export async function resumeSession(): Promise<void> {
  resumeProblem.set(null);
  if (!(await finishSignOut())) return;
  try {
    session.set(await openSession(arrival));
  } catch (error) {
    const problem = toProblem(error);
    if (problem.status !== 401) {
      resumeProblem.set(problem);
      return;
    }
    session.set(null);
  }
  const team = providerTeam.get();
  const { isBeginning } = arrival;
  arrival = nothing;
  if (isBeginning && team !== null && session.get() === null) await beginProviderSignIn(team);
}

const present = () => request<Session>("/console/session");

async function openSession({ ticket, response }: Arrival): Promise<Session> {
  if (ticket === null && response === null) return present();
  try {
    if (response !== null) return await finishProviderSignIn(response);
    return await request<Session>("/console/session", { method: "POST", body: { ticket } });
  } catch (error) {
    const problem = toProblem(error);
    // Neither works a second time, but a ticket may still be good if the service did not answer.
    if (response === null && isPassing(problem)) throw problem;
    if (response !== null) providerError.set(problem.message);
    arrival = { ...arrival, ticket: null, response: null };
    return present().catch((thrown) => {
      if (response === null) signInNotice.set(problem.message);
      throw thrown;
    });
  }
}

const isPassing = ({ status }: Problem) => status === 0 || status === 429 || status >= 500;

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
