import { type EventReference, orderingKeyOf } from "./envelope.ts";

const CONNECTION = "provider.connection.";
/** Beginnings of types whose events replace each other by their ordering key: each repetition or state has its own key. */
const replacedByOrder = ["labtest.order.", CONNECTION] as const;

/** Beginnings of types whose events describe the steps of something, each of which a receiver may want to see. */
const steps = ["labtest.", "lab_report.", "provider."] as const;

/** Whether an event describes a step: it has its own data until a newer one has been sent. */
export const isStep = ({ type }: Pick<EventReference, "type">): boolean =>
  steps.some((prefix) => type.startsWith(prefix));

/** Returns the key that all events share which may replace this one. */
export const replacementKeyOf = (event: Pick<EventReference, "type" | "key" | "order_key">): string =>
  replacedByOrder.some((prefix) => event.type.startsWith(prefix)) ? orderingKeyOf(event) : event.key;

/** Returns the name of the field by which events that replace each other compare: the greater one is newer. */
export const rankField = ({ state_from }: EventReference): "state_from" | "version" =>
  state_from === undefined ? "version" : "state_from";

/** Whether an event may replace earlier ones. */
export const mayReplace = ({ version, state_from }: EventReference): boolean => version > 1 || state_from !== undefined;

/**
 * Returns what a newer event does to an event that is still to be sent. Usually its data replaces that of the earlier
 * one. Each type of event of a connection describes another state and has other data, so a newer one contradicts an
 * earlier one. But it remains true that an account was connected when its data is missing or arrives again.
 */
export function effectOfNewer(event: EventReference, newest: EventReference): "replaces" | "contradicts" | "none" {
  const field = rankField(newest);
  // Events of connections have no such field in the version before.
  if ((newest[field] ?? 0) <= (event[field] ?? 0)) return "none";
  if (!event.type.startsWith(CONNECTION)) return "replaces";
  const isOfSameAccount = newest.key.startsWith(`${event.key}#`) && newest.type !== `${CONNECTION}error`;
  return event.type === `${CONNECTION}created` && isOfSameAccount ? "none" : "contradicts";
}
