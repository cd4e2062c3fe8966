/** The families of events, told apart by the prefix of their type; rules route by these, and the catalogue is kept by them. */
export const eventFamilies = [
  { name: "daily", prefix: "daily.data." },
  { name: "historical", prefix: "historical.data." },
  { name: "provider", prefix: "provider." },
  { name: "labtest", prefix: "labtest." },
  { name: "labReport", prefix: "lab_report." },
  { name: "continuousQuery", prefix: "continuous_query." },
  { name: "message", prefix: "message." },
] as const;

/** Name of a family. */
export type EventFamily = (typeof eventFamilies)[number]["name"];

/** Any text that begins as the types of a family do. */
export type RoutedType = `${(typeof eventFamilies)[number]["prefix"]}${string}`;

/** The family of an event type. */
export function familyOf(type: RoutedType): EventFamily {
  return eventFamilies.find(({ prefix }) => type.startsWith(prefix))!.name;
}
