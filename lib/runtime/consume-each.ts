import type { TeamScope } from "../store/team-scope.ts";
import type { Span } from "./span.ts";

/** A message of a batch that failed, with its error. */
export interface MessageFailure<M> {
  readonly delivery: M;
  readonly error: unknown;
}

/** Consumes the messages of a batch concurrently, each on its own and in its own span. @returns the failures. */
export async function consumeEach<M extends { readonly span?: Span }>(
  messages: readonly M[],
  work: (message: M) => Promise<void>,
): Promise<MessageFailure<M>[]> {
  const outcomes = await Promise.allSettled(
    messages.map((message) => (message.span ? message.span.run(() => work(message)) : work(message))),
  );
  return messages.flatMap((delivery, index) => {
    const outcome = outcomes[index];
    return outcome?.status === "rejected" ? [{ delivery, error: outcome.reason }] : [];
  });
}

/**
 * Returns a function that reads something of a team once for all messages of a batch. The read starts after the messages
 * arrived, so it sees every change that preceded their events.
 */
export function oncePerTeam<T>(read: (scope: TeamScope) => Promise<T>): (scope: TeamScope) => Promise<T> {
  const started = new Map<string, Promise<T>>();
  return (scope) => {
    const reading = started.get(scope.teamId) ?? read(scope);
    started.set(scope.teamId, reading);
    return reading;
  };
}
