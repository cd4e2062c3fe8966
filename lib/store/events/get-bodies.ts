import type { Item } from "../item.ts";
import type { Table } from "../table.ts";
import { decodeBody } from "./event-body.ts";
import {
  bodyItem,
  bodyKey,
  type EventIdentity,
  eventIdentityKey,
  eventItem,
  eventKey,
  itemIdentityKey,
} from "./outbox-items.ts";

/** Returns the bodies of events by {@link eventIdentityKey}. Expired and erased ones are absent. */
export async function getBodies(table: Table, events: readonly EventIdentity[]): Promise<Map<string, string>> {
  const items = await table.getMany(events.map(eventKey), eventItem);
  const isApart = new Set(items.filter(({ body }) => body === undefined).map(itemIdentityKey));
  const apart = events.filter((event) => isApart.has(eventIdentityKey(event)));
  const inline = items.flatMap((item) => (item.body ? [[itemIdentityKey(item), decodeBody(item.body)] as const] : []));
  const others = await table.getMany(apart.map(bodyKey), bodyItem);
  return new Map([...inline, ...others.map((item) => [itemIdentityKey(item), decodeBody(item.body)] as const)]);
}

/** Returns the body of an event item, or of the separate item of a long body. */
export function parseBody([item, apart]: readonly (Item | undefined)[]): string | undefined {
  const inline = item && eventItem.parse(item);
  const body = inline?.body ?? (inline && apart && bodyItem.parse(apart).body);
  return body && decodeBody(body);
}
