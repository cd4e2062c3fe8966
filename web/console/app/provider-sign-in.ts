import { request } from "../api/request.ts";
import { toProblem } from "../api/use-load.ts";
import { addressOf, navigate } from "./route.ts";
import type { Session } from "./session.ts";
import { createStore } from "./store.ts";

/** The address to which a provider sends the browser back, and at which people begin, with their team in `team`. */
const PLACE = "/sign-in";
/** Where this tab keeps the team while its person is at the provider. */
const TEAM = "console-team";
/** A place to which the page may return: segments of a path below the console. */
const RETURN = /^\/console(\/[\w-]+)*$/;

/** The team at whose provider the person signs in; null if the page knows none. */
export const providerTeam = createStore<string | null>(null);
/** Why the last sign-in at the provider failed. */
export const providerError = createStore("");

/** What the address says about a sign-in at a provider. */
export interface Visit {
  /** The response of the provider; null without one. */
  readonly response: string | null;
  /** Whether the person came to sign in. */
  readonly isBeginning: boolean;
}

/** Removes the response of a provider from the address before anything else runs, so that history lacks it. */
export function takeVisit(): Visit {
  if (location.pathname !== addressOf(PLACE)) return { response: null, isBeginning: false };
  const text = location.search.slice(1);
  const query = new URLSearchParams(text);
  const isResponse = query.has("state") || query.has("error");
  providerTeam.set(isResponse ? sessionStorage.getItem(TEAM) : query.get("team"));
  sessionStorage.removeItem(TEAM);
  navigate("", "replace");
  return { response: isResponse ? text : null, isBeginning: !isResponse && query.has("team") };
}

/** Sends the browser to the provider of the team. The person comes back to the present place. */
export async function beginProviderSignIn(team: string): Promise<void> {
  providerError.set("");
  const place = RETURN.test(location.pathname) ? { return_to: location.pathname } : {};
  try {
    const begun = await request<{ authorization_url: string }>("/console/sign-in", {
      method: "POST",
      body: { team_id: team, ...place },
    });
    sessionStorage.setItem(TEAM, team);
    location.assign(begun.authorization_url);
  } catch (thrown) {
    providerError.set(toProblem(thrown).message);
  }
}

/** Exchanges the response of a provider for a session, and goes to the place where the person wanted to be. */
export async function finishProviderSignIn(response: string): Promise<Session> {
  const { return_to, ...session } = await request<Session & { return_to: string }>("/console/sign-in/completion", {
    method: "POST",
    body: { authorization_response: response },
  });
  if (RETURN.test(return_to)) navigate(return_to.slice(addressOf("").length), "replace");
  return session;
}
