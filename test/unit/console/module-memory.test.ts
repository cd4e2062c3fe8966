import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** What a page of the console keeps outside of its components, and why it belongs to no session. */
const ofNoSession = [
  "api/request.ts let sessionEnded: set once, when the page starts",
  "api/service-clock.ts let aheadMs: the clock of the service",
  "api/session-memory.ts let owner: the id of the session",
  "api/session-memory.ts const forgetting: the stores that are forgotten",
  "app/preferences.ts const theme: a choice that outlives sessions",
  "app/preferences.ts const userZone: the view of a user sets and clears it",
  "app/preferences.ts const zoneChoice: a choice that outlives sessions",
  "app/provider-sign-in.ts const providerError: what the sign-in says",
  "app/provider-sign-in.ts const providerTeam: the team of the sign-in",
  "app/renewals.ts let isActive: whether somebody did something in the last minute",
  "app/resume-session.ts const resumeProblem: why the page knows no session",
  "app/resume-session.ts let arrival: what brought the browser here",
  "app/route.ts const route: the address",
  "app/session.ts const session: the session itself",
  "app/session.ts const signInNotice: what the sign-in says",
  "app/sign-out.ts const unfinishedSignOut: the end of a session",
  "parts/time.ts const formats: formats of zones",
  "views/orders/result-section.tsx const none: always empty",
];

/** Variables of a module that can change, and stores and collections that it fills. */
const MUTABLE = /^(?:export )?(let \w+|const \w+(?=.* = (?:new (?:Map|Set|WeakMap)|createStore)\b))/;

test("what a module of the console keeps is in a store of the session, or belongs to none", () => {
  const kept = globSync("web/console/**/*.{ts,tsx}").flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => !/: Readonly(Set|Map)</.test(line))
      .flatMap((line) => MUTABLE.exec(line)?.[1] ?? [])
      .map((name) => `${file.replace("web/console/", "")} ${name}`),
  );
  expect(kept.toSorted()).toEqual(ofNoSession.map((line) => line.split(":")[0]).toSorted());
});
