import { Problem, request } from "../api/request.ts";
import { presentSession } from "../api/session-memory.ts";
import { forgetSession, type Session, session } from "./session.ts";

/** How often the page asks whether its session is open. */
const INTERVAL_MS = 60_000;

/** What a person does; loading and refreshing is not among it. */
const ACTIVITIES = ["pointerdown", "keydown", "wheel"] as const;

let isActive = false;

/**
 * Renews the session while its person does something, and forgets it once the service has ended it, so that nothing of
 * a user stays on the screen.
 */
export function startRenewals(): void {
  for (const name of ACTIVITIES) addEventListener(name, () => (isActive = true), { passive: true, capture: true });
  setInterval(() => void renew(), INTERVAL_MS);
}

async function renew(): Promise<void> {
  if (!session.get()) return;
  const path = isActive ? "/console/session/renewal" : "/console/session";
  const method = isActive ? "POST" : "GET";
  isActive = false;
  const asked = presentSession();
  try {
    const present = await request<Session>(path, { method });
    if (presentSession() === present.session_id) session.set(present);
  } catch (error) {
    if (error instanceof Problem && error.status === 401 && presentSession() === asked) forgetSession(error.message);
  }
}
