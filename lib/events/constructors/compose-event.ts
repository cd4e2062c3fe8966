import type { Sample } from "../../domain/timeseries/chunk/sample.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import type { TeamEventType, UserEventType } from "../catalogue/catalogue.ts";
import type { EventBody, EventReference, UserEventBody } from "../catalogue/envelope.ts";
import { eventId } from "../catalogue/event-id.ts";

/** An event for the outbox. */
export interface NewEvent {
  readonly reference: EventReference;
  readonly body: EventBody;
  /** The samples that the body lists, which are stored in fewer bytes than their wire form. */
  readonly samples?: { readonly resource: string; readonly samples: readonly Sample[] };
}

/** Composes an event of a user. Its id derives from its subject. */
export function composeEvent(
  about: Pick<UserEventBody, "team_id" | "user_id" | "client_user_id">,
  type: UserEventType,
  key: string,
  version: number,
  data: EventBody["data"],
  order_key = key,
): NewEvent {
  const { team_id, user_id, client_user_id } = about;
  const event_id = eventId({ team_id, user_id, key, version, type });
  return {
    reference: { event_id, team_id, user_id, type, key, version, order_key },
    body: { event_type: type, data, team_id, user_id, client_user_id },
  };
}

/**
 * Composes an event whose body names no user at the top level. Without an owner it belongs to the team alone, and no
 * erasure of a user deletes it.
 * @param owner id of the user whom the payload names. The event is then that user's for feed, deliveries and erasure.
 */
export function composeTeamEvent(
  team_id: string,
  type: TeamEventType,
  key: string,
  version: number,
  data: Record<string, unknown>,
  owner = "",
): NewEvent {
  const event_id = eventId({ team_id, user_id: owner, key, version, type });
  return {
    reference: { event_id, team_id, user_id: owner, type, key, version, order_key: key },
    body: { event_type: type, data, team_id },
  };
}

/** Composes an event whose payload also contains the `user_id`. */
export function composeDataEvent(
  user: UserRecord,
  type: UserEventType,
  key: string,
  version: number,
  data: Record<string, unknown>,
  orderKey = key,
): NewEvent {
  return composeEvent(user, type, key, version, { user_id: user.user_id, ...data }, orderKey);
}
