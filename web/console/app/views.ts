/** A view in the navigation and the palette. */
export interface View {
  readonly place: string;
  readonly name: string;
  readonly hint: string;
}

/** The views, in the order of the navigation. */
export const views: readonly View[] = [
  { place: "", name: "Overview", hint: "usage, deliveries, newest events" },
  { place: "/users", name: "Users", hint: "people, connections, data" },
  { place: "/events", name: "Events", hint: "live tail, bodies, replay" },
  { place: "/orders", name: "Orders", hint: "steps, results, match reviews" },
  { place: "/webhooks", name: "Webhooks", hint: "endpoints, messages, tests" },
  { place: "/team", name: "Team", hint: "settings, priorities, limits" },
];

/** The parts of the view of the team, by the segment of their address. */
export const teamParts = {
  "": "Settings",
  keys: "Keys",
  usage: "Usage",
  deletions: "Deletions",
  people: "People",
} as const;

/** The parts of the view of a user, by the segment of their address. */
export const userParts = { "": "Overview", data: "Data", day: "Day", why: "Why this number" } as const;

/** Whether a path lies in a view. */
export const isWithin = (path: string, { place }: View) =>
  place === "" ? path === "" : path === place || path.startsWith(`${place}/`);
