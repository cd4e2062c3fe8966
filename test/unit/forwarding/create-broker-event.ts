import type { BrokerEvent } from "../../../lib/services/forwarding/broker-event.ts";

/** Creates an event of a user. @param filling the number of extra bytes in the body. */
export function createBrokerEvent(
  place: number,
  { user = "user-1", type = "labtest.order.created", filling = 0 } = {},
): BrokerEvent {
  const event_id = `evt_${place}`;
  const body = JSON.stringify({ event_type: type, place, text: "x".repeat(filling) });
  return { event: { event_id, team_id: "team-1", user_id: user, type, key: "k", version: 1 }, body };
}
