import type { TeamScope } from "../../store/team-scope.ts";
import type { CallRecorder } from "./call-recorder.ts";

/** Methods of the user store that concern one user, with the part of the argument that names the user. */
const userIdOfCall: Readonly<Record<string, (named: never) => string | undefined>> = {
  get: (userId: string) => userId,
  getAnyState: (userId: string) => userId,
  requireActiveItem: (userId: string) => userId,
  createItem: (user: { user_id: string }) => user.user_id,
  getMany: ([only, ...others]: readonly string[]) => (others.length === 0 ? only : undefined),
};

/**
 * Wraps the user store so that it records which user a call reads. Every function that touches data of a user first
 * reads the user, so operations need not name the user themselves.
 */
export function withRecordedUsers<U extends object>(deps: U, notes: CallRecorder | undefined): U {
  const { users } = deps as { users?: object };
  if (!notes || !users) return deps;
  return { ...deps, users: new Proxy(users, { get: (store, name) => recordedMember(store, name, notes) }) };
}

function recordedMember(store: object, name: string | symbol, notes: CallRecorder): unknown {
  const found: unknown = Reflect.get(store, name);
  if (typeof found !== "function") return found;
  const about = userIdOfCall[String(name)];
  return (...given: unknown[]) => {
    const userId = about?.(given[1] as never);
    const recorded = userId === undefined ? undefined : notes.recordUser(given[0] as TeamScope, userId);
    // A method that builds an item of a transaction is synchronous.
    const isReading = String(name).startsWith("get");
    return recorded && isReading ? recorded.then(() => found.apply(store, given)) : found.apply(store, given);
  };
}
