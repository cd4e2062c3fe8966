import { type Problem, request } from "../api/request.ts";
import { toProblem } from "../api/use-load.ts";
import { offerProvider, session } from "./session.ts";
import { createStore } from "./store.ts";

/** Where this tab keeps the id of a session that its person has left and the service may still have. */
const LEFT = "console-left-session";

/** A sign-out that the service has not confirmed. */
interface SignOut {
  readonly sessionId: string;
  /** Why the last try failed; null while one runs. */
  readonly problem: Problem | null;
}

/** The sign-out that the service has not confirmed; null if there is none. */
export const unfinishedSignOut = createStore<SignOut | null>(null);

/** Removes everything from the screen at once, and ends the session at the service. */
export async function signOut(): Promise<void> {
  const present = session.get();
  if (!present) return;
  sessionStorage.setItem(LEFT, present.session_id);
  offerProvider();
  unfinishedSignOut.set({ sessionId: present.session_id, problem: null });
  session.set(null);
  await finishSignOut();
}

/** Takes up the sign-out that a page of this tab could not finish before it was closed or loaded again. */
export function resumeSignOut(): void {
  const sessionId = sessionStorage.getItem(LEFT);
  if (sessionId !== null) unfinishedSignOut.set({ sessionId, problem: null });
}

/**
 * Ends the session of the unfinished sign-out, if there is one. It names the session, so a session that another tab has
 * opened since stays.
 * @returns whether none is left.
 */
export async function finishSignOut(): Promise<boolean> {
  const { sessionId } = unfinishedSignOut.get() ?? {};
  if (sessionId === undefined) return true;
  unfinishedSignOut.set({ sessionId, problem: null });
  try {
    await request("/console/session", { method: "DELETE", headers: { "x-console-session": sessionId } });
  } catch (error) {
    const problem = toProblem(error);
    // With 401 the session has ended already.
    if (problem.status !== 401) {
      unfinishedSignOut.set({ sessionId, problem });
      return false;
    }
  }
  sessionStorage.removeItem(LEFT);
  unfinishedSignOut.set(null);
  return true;
}
