import { expect } from "vitest";
import type { Answer, TestService } from "../../../support/service.ts";

/** The header that a page of the console sends with each request. */
export const consoleHeader = { "x-console-request": "1" };

/** Signs in to the console. @param body key with role and name, or ticket. */
export const signIn = (service: TestService, body: object, headers: Readonly<Record<string, string>> = {}) =>
  service.call("POST", "/console/session", { key: null, body, headers: { ...consoleHeader, ...headers } });

/** Returns the cookie that an answer sets, as a browser sends it back. */
export function cookieOf({ headers }: Answer): string {
  const [cookie = ""] = headers.getSetCookie();
  return cookie.split(";")[0] ?? "";
}

/** Signs in to the console. @returns the headers of requests in the session. */
export async function openConsole(service: TestService, body: object): Promise<Record<string, string>> {
  const answer = await signIn(service, body);
  expect([answer.status, answer.body.code]).toEqual([201, undefined]);
  return { cookie: cookieOf(answer), ...consoleHeader };
}

/** Calls the main API in a session of the console. */
export const callInConsole = (
  service: TestService,
  headers: Readonly<Record<string, string>>,
  method: string,
  path: string,
  body?: unknown,
) => service.call(method, path, { key: null, headers, ...(body === undefined ? {} : { body }) });

/** Creates a ticket for the console of a team. */
export async function createTicket(
  service: TestService,
  { teamId = service.identity.team_id, role = "admin", name = "Support desk", idleMinutes = 30 } = {},
): Promise<{ ticket: string; url: string; expires_at: string }> {
  const path = `/v1/org/${service.identity.org_id}/team/${teamId}/console_ticket`;
  const { status, body } = await service.manage("POST", path, { body: { role, name, idle_minutes: idleMinutes } });
  expect(status).toBe(201);
  return body;
}
