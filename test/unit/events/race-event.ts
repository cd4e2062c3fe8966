import { createHash } from "node:crypto";
import type { EventBody } from "../../../lib/events/envelope.ts";
import { eventId } from "../../../lib/events/event-id.ts";

/**
 * An event of a user; every other one has a body that is kept in an item apart.
 * @param filling characters in its body that can hardly be compressed.
 */
export function makeEvent(team_id: string, user_id: string, place: number, filling = place % 2 === 0 ? 0 : 900) {
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
