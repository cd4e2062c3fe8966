import { type EventType, findEventType } from "./catalogue.ts";
import type { UserEventBody } from "./envelope.ts";
import { exampleDataOf } from "./example-data.ts";
import { EXAMPLE_USER_ID, EXAMPLE_WORD } from "./example-user.ts";

/**
 * Returns an example body of an event type as JSON text, with synthetic data in every field.
 * @param teamId the team of the event.
 */
export function exampleEventBody(type: EventType, teamId: string): string {
  const body = { event_type: type, data: exampleDataOf(type), team_id: teamId };
  const user = { user_id: EXAMPLE_USER_ID, client_user_id: EXAMPLE_WORD } satisfies Partial<UserEventBody>;
  return JSON.stringify(findEventType(type)?.namesUser ? { ...body, ...user } : body);
}
