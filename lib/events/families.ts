/** The families of events, told apart by the prefix of their type; rules route by these. */
export const eventFamilies = [
  { name: "daily", prefix: "daily.data." },
  { name: "historical", prefix: "historical.data." },
  { name: "provider", prefix: "provider." },
  { name: "labtest", prefix: "labtest." },
  { name: "labReport", prefix: "lab_report." },
  { name: "continuousQuery", prefix: "continuous_query." },
  { name: "message", prefix: "message." },
] as const;
