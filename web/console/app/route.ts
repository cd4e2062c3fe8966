import { createStore } from "./store.ts";

/** Path below which the page lives. */
const ROOT = "/console";

/** A place in the console: the segments below /console and the parameters. */
export interface Route {
  readonly path: string;
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

/** The place that the address bar names. */
export const route = createStore<Route>(readRoute());

function readRoute(): Route {
  const path = location.pathname.slice(ROOT.length).replace(/\/$/, "");
  const segments = path.split("/").slice(1).map(decodeURIComponent);
  return { path, segments, query: new URLSearchParams(location.search) };
}

/** The address of a place, such as `/users`. */
export const addressOf = (place: string) => ROOT + place;

/** Goes to a place, such as `/users`. */
export function navigate(place: string, how: "push" | "replace" = "push"): void {
  if (how === "push") history.pushState(null, "", addressOf(place));
  else history.replaceState(null, "", addressOf(place));
  route.set(readRoute());
  if (how === "push") scrollTo(0, 0);
}

/** Follows the back and forward buttons. */
export function startRouting(): void {
  addEventListener("popstate", () => route.set(readRoute()));
}
