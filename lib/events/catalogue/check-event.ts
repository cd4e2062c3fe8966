import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { findEventType } from "./catalogue.ts";
import { type EventBody, isUserEvent, teamEventBody, userEventBody } from "./envelope.ts";
import { payloadSchemaOf } from "./event-payloads.ts";

/**
 * Checks an event against the catalogue: the body must have exactly the declared fields. Runs in tests and locally when
 * an event is written, never in a deployed function; see lib/build/bundle.ts.
 * @throws TypeError for an event that does not match.
 */
export function checkEvent(body: EventBody): void {
  const entry = findEventType(body.event_type);
  if (!entry) throw new TypeError(`${body.event_type} is not in the catalogue of events`);
  const sent: unknown = JSON.parse(JSON.stringify(body));
  const hasUser = entry.isNotice ? isUserEvent(body) : entry.namesUser;
  const declared = (hasUser ? userEventBody : teamEventBody)
    .extend({ data: payloadSchemaOf(entry.type) })
    .safeParse(sent);
  if (!declared.success) throw new TypeError(`${entry.type}: ${z.prettifyError(declared.error)}`);
  // Parsing strips unknown fields and fills in defaults, so compare the result with the input.
  if (!isDeepStrictEqual(declared.data, sent)) throw new TypeError(`${entry.type} lacks fields or has others`);
}
