import { type EventReference, orderingKeyOf } from "./envelope.ts";

const CONNECTION = "provider.connection.";
/** Beginnings of types whose events replace each other by their ordering key: each repetition or state has its own key. */
const replacedByOrder = ["labtest.order.", CONNECTION] as const;

type KeyedEvent = Pick<EventReference, "type" | "key" | "order_key">;

const isOfConnection = ({ type }: Pick<EventReference, "type">): boolean => type.startsWith(CONNECTION);

/** Beginnings of types whose events describe the steps of something, each of which a receiver may want to see. */
const steps = ["labtest.", "lab_report.", "provider."] as const;

/** Whether an event describes a step: it has its own data until a newer one has been sent. */
export const isStep = ({ type }: Pick<EventReference, "type">): boolean =>
  steps.some((prefix) => type.startsWith(prefix));

/** Returns the key that all events share which may replace this one. */
export const replacementKeyOf = (event: KeyedEvent): string =>
  replacedByOrder.some((prefix) => event.type.startsWith(prefix)) ? orderingKeyOf(event) : event.key;

/** Whether an event may replace earlier ones. */
export const mayReplace = (event: EventReference): boolean => event.version > 1 || isOfConnection(event);

/**
 * Returns the place of an event of a connection among those of its user and provider, a text that sorts by time;
 * undefined for other events, which have versions. What follows the ordering key in the key is the start of the
 * connection, then the start of a staleness or `error`, which ends a connection. A recovery has the key of its staleness.
 */
export function connectionPlace(event: KeyedEvent): string | undefined {
  if (!isOfConnection(event)) return undefined;
  const place = event.key.slice(orderingKeyOf(event).length + 1);
  return event.type === `${CONNECTION}recovered` ? `${place}+` : place;
}

/**
 * Returns what a newer event does to an event that is still to be sent. Usually its data replaces that of the earlier
 * one. Each type of event of a connection describes another state and has other data, so a newer one contradicts an
 * earlier one. But it remains true that an account was connected when its data is missing or arrives again.
 */
export function effectOfNewer(event: EventReference, newest: EventReference): "replaces" | "contradicts" | "none" {
  const [place, newestPlace] = [connectionPlace(event), connectionPlace(newest)];
  if (place === undefined || newestPlace === undefined) return newest.version > event.version ? "replaces" : "none";
  if (newestPlace <= place) return "none";
  const isOfSameAccount = newestPlace.startsWith(`${place}#`) && newest.type !== `${CONNECTION}error`;
  return event.type === `${CONNECTION}created` && isOfSameAccount ? "none" : "contradicts";
}
