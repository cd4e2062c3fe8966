import { expect } from "vitest";
import { endpoints } from "../../../../functions/index.ts";
import type { EndpointContract } from "../../../../lib/contract/endpoint.ts";
import { ports } from "../../../../lib/runtime/ports.ts";
import { OpenIdPeer } from "../../../support/peers/open-id-peer.ts";
import type { TestService } from "../../../support/service.ts";
import { callInConsole, createTicket, openConsole, signIn } from "../console/console-helpers.ts";
import { beginSignIn, finishSignIn, setProvider } from "../console/sign-in-helpers.ts";

/** Shorter than a session without activity. */
const RENEWAL_MS = 25 * 60 * 1000;

/**
 * Calls every route of the console.
 * @param forget makes functions read keys again.
 */
export async function callConsoleRoutes(service: TestService, forget: () => Promise<unknown>): Promise<void> {
  const key = service.identity.api_key;
  for (const path of ["/console", "/console/users"])
    expect((await service.call("GET", path, { key: null })).status).toBe(200);
  await forget();
  expect((await service.call("GET", "/console/overview")).status).toBe(200);
  await forget();
  const earlier = await openConsole(service, { key });
  await forget();
  expect((await signIn(service, { key }, earlier)).status).toBe(201);
  await forget();
  const held = await openConsole(service, { ticket: (await createTicket(service)).ticket });
  const ask = async (method: string, path: string) => {
    await forget();
    const answer = await callInConsole(service, held, method, path);
    expect([method, path, answer.status < 300]).toEqual([method, path, true]);
    return answer.body;
  };
  const other = (await signIn(service, { key, role: "support" })).body.session_id;
  await ask("GET", "/console/session");
  await ask("POST", "/console/session/renewal");
  await ask("GET", "/console/sessions");
  await ask("DELETE", `/console/sessions/${other}`);
  await ask("DELETE", "/console/session");
  await signInAtProvider(service, forget);
}

/** Signs in at a provider in a browser that has a session. */
async function signInAtProvider(service: TestService, forget: () => Promise<unknown>): Promise<void> {
  const earlier = await openConsole(service, { key: service.identity.api_key });
  const peer = await OpenIdPeer.start(`${service.baseUrl}/console/sign-in`);
  await setProvider(service, peer);
  await forget();
  const { url, cookie } = await beginSignIn(service);
  const back = await peer.signIn(url, "support-1");
  await forget();
  const finished = await finishSignIn(service, back.search.slice(1), { cookie: `${earlier.cookie}; ${cookie}` });
  expect([finished.status, finished.body.role]).toEqual([201, "support"]);
  await peer.stop();
}

/** A test of requests for a route: its method, and a pattern of its paths. */
interface RoutePattern {
  readonly contract: EndpointContract;
  readonly pattern: RegExp;
}

const variables = ({ source }: RegExp) => source.split("[^/]").length;
const teamRoutes: readonly RoutePattern[] = endpoints
  .flatMap((contract) =>
    [contract.path, ...contract.aliases].map((path) => ({
      contract,
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    })),
  )
  // Static segments win over variables.
  .toSorted((one, other) => variables(one.pattern) - variables(other.pattern));

const findRoute = (method: string, path: string): EndpointContract | undefined =>
  teamRoutes.find(({ contract, pattern }) => contract.method === method && pattern.test(path.split("?")[0] ?? ""))
    ?.contract;

/**
 * Sends the first request to each route of a team, and to each management operation that the console calls, also in the
 * console, in the session of a reader. The route looks the session up, and answers the same or refuses the role, so the
 * request changes nothing.
 * @param forget makes functions read keys again.
 */
export function callAsReaderFirst(service: TestService, forget: () => Promise<unknown>): void {
  const call = service.call.bind(service);
  const asked = new Set<string>();
  let session: { readonly headers: Record<string, string>; readonly untilMs: number } | undefined;
  const reader = async () => {
    const nowMs = ports().clock.now();
    if (session && session.untilMs > nowMs) return session.headers;
    const headers = await openConsole(service, { key: service.identity.api_key, role: "reader" });
    session = { headers, untilMs: nowMs + RENEWAL_MS };
    await forget();
    return headers;
  };
  service.call = async (method, path, options = {}) => {
    const contract = options.key === null ? undefined : findRoute(method, path);
    if (contract?.auth === "team" && !asked.has(contract.operationId)) {
      asked.add(contract.operationId);
      await callInConsole(service, await reader(), method, path, options.body);
    }
    return call(method, path, options);
  };
  const manage = service.manage.bind(service);
  service.manage = async (method, path, options = {}) => {
    const contract = options.key === null ? undefined : findRoute(method, path);
    if (contract?.consoleRoles && !asked.has(contract.operationId)) {
      asked.add(contract.operationId);
      await callInConsole(service, await reader(), method, `/console${path}`, options.body);
    }
    return manage(method, path, options);
  };
}
