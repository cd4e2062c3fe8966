import { expect } from "vitest";
import type { OpenIdPeer } from "../../../support/peers/open-id-peer.ts";
import type { Answer, TestService } from "../../../support/service.ts";
import { callInConsole, consoleHeader, cookieOf } from "./console-helpers.ts";

/** Path of the provider of a team on the management API. */
export const providerPath = ({ identity }: TestService, teamId = identity.team_id) =>
  `/v1/org/${identity.org_id}/team/${teamId}/console_provider`;

/** Sets the provider of a team. */
export async function setProvider(service: TestService, peer: OpenIdPeer, more: object = {}, teamId?: string) {
  const { status, body } = await service.manage("PUT", providerPath(service, teamId), { body: peer.settings(more) });
  expect([status, body.detail]).toEqual([200, undefined]);
  return body;
}

/** Asks for a sign-in at the provider of a team. */
export const askSignIn = (service: TestService, body: object = {}): Promise<Answer> =>
  callInConsole(service, consoleHeader, "POST", "/console/sign-in", { team_id: service.identity.team_id, ...body });

/** Begins a sign-in. @returns the address at the provider, and the cookie of the browser. */
export async function beginSignIn(service: TestService, body: object = {}): Promise<{ url: string; cookie: string }> {
  const answer = await askSignIn(service, body);
  expect([answer.status, answer.body.detail]).toEqual([201, undefined]);
  return { url: answer.body.authorization_url, cookie: cookieOf(answer) };
}

/** Finishes a sign-in with the query that the provider added to the redirect URI. */
export const finishSignIn = (
  service: TestService,
  query: string,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> =>
  callInConsole(service, { ...consoleHeader, ...headers }, "POST", "/console/sign-in/completion", {
    authorization_response: query,
  });

/** Signs an account in. @returns the answer with the session. */
export async function signInAs(service: TestService, peer: OpenIdPeer, account: string, body: object = {}) {
  const { url, cookie } = await beginSignIn(service, body);
  const back = await peer.signIn(url, account);
  return finishSignIn(service, back.search.slice(1), { cookie });
}

/** The headers of requests in the session of an answer. */
export const inSession = (answer: Answer): Record<string, string> => ({ cookie: cookieOf(answer), ...consoleHeader });

/**
 * Expects a refusal in the one error shape, which says what to do and leaves no session.
 * @param admin headers of the only session of the team.
 */
export async function expectNoSession(
  service: TestService,
  admin: Readonly<Record<string, string>>,
  { status, body, headers }: Answer,
  [expected, words]: readonly [status: number, words: RegExp],
): Promise<void> {
  expect([status, typeof body.code, typeof body.request_id]).toEqual([expected, "string", "string"]);
  expect(body.detail).toMatch(words);
  expect(headers.getSetCookie()).toEqual([]);
  const { data } = (await callInConsole(service, admin, "GET", "/console/sessions")).body;
  expect(data).toHaveLength(1);
}
