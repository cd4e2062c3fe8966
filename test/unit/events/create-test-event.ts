import { createHash } from "node:crypto";
import type { EventBody } from "../../../lib/events/catalogue/envelope.ts";
import { eventId } from "../../../lib/events/catalogue/event-id.ts";

/**
 * Creates an event of a user. Events at odd places have a body that is stored in a separate item.
 * @param filling the number of nearly incompressible characters in the body.
 */
export function createTestEvent(team_id: string, user_id: string, place: number, filling = place % 2 === 0 ? 0 : 900) {
  const type = "daily.data.steps.created";
  const key = `${user_id}#${place}`;
  const text = createHash("shake256", { outputLength: filling }).update(key).digest("hex").slice(0, filling);
  const body: EventBody = { event_type: type, team_id, user_id, client_user_id: "race", data: { place, text } };
  return {
    reference: {
      event_id: eventId({ team_id, user_id, key, version: 1, type }),
      team_id,
      user_id,
      type,
      key,
      version: 1,
    },
    body,
  };
}
