import { createStore, type Store } from "../app/store.ts";

/** The session whose memory this page has; null without one. */
let owner: string | null = null;
const forgetting = new Set<() => void>();

/** The id of the session whose data this page shows; null without one. */
export const presentSession = (): string | null => owner;

/**
 * Creates a store of something that belongs to one session, such as its secrets and what its person said. The page forgets
 * it when the session ends and when another one begins. Everything that a module keeps of a session is in such a store.
 */
export function createSessionStore<Value>(first: () => Value): Store<Value> {
  const store = createStore(first());
  forgetting.add(() => store.set(first()));
  return store;
}

/** Forgets the memory of every other session. @param sessionId the session that the page shows from now on. */
export function keepMemoryOf(sessionId: string | null): void {
  if (sessionId === owner) return;
  owner = sessionId;
  for (const forget of forgetting) forget();
}
