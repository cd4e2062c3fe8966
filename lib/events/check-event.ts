import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { findEventType } from "./catalogue.ts";
import { type EventBody, isOfUser, teamEventBody, userEventBody } from "./envelope.ts";
import { payloadOf } from "./payloads.ts";

/**
 * In tests and locally an event that is not what the catalogue says of its type is an error where it is written: each
 * field must be there as declared, and none besides. Never part of a deployed function, see lib/build/bundle.ts.
 */
export function checkEvent(body: EventBody): void {
  const entry = findEventType(body.event_type);
  if (!entry) throw new TypeError(`${body.event_type} is not in the catalogue of events`);
  const sent: unknown = JSON.parse(JSON.stringify(body));
  const hasUser = entry.isNotice ? isOfUser(body) : entry.isOfUser;
  const declared = (hasUser ? userEventBody : teamEventBody).extend({ data: payloadOf(entry.type) }).safeParse(sent);
  if (!declared.success) throw new TypeError(`${entry.type}: ${z.prettifyError(declared.error)}`);
  // Schemas drop what they do not know and fill in defaults.
  if (!isDeepStrictEqual(declared.data, sent)) throw new TypeError(`${entry.type} lacks fields or has others`);
}
