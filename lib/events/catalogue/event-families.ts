/** Event families by the prefix of their types. The rules of the bus route by family. */
export const eventFamilies = [
  { name: "daily", prefix: "daily.data." },
  { name: "historical", prefix: "historical.data." },
  { name: "provider", prefix: "provider." },
  { name: "labtest", prefix: "labtest." },
  { name: "labReport", prefix: "lab_report." },
  { name: "continuousQuery", prefix: "continuous_query." },
  { name: "message", prefix: "message." },
] as const;

/** Name of an event family. */
export type EventFamily = (typeof eventFamilies)[number]["name"];

/** An event type that starts with the prefix of a family. */
export type RoutedType = `${(typeof eventFamilies)[number]["prefix"]}${string}`;

/** Returns the family of an event type. */
export function familyOf(type: RoutedType): EventFamily {
  return eventFamilies.find(({ prefix }) => type.startsWith(prefix))!.name;
}
