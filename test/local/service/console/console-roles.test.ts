import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../../../functions/index.ts";
import { accessLogMode } from "../../../../lib/contract/access-log-mode.ts";
import type { EndpointContract } from "../../../../lib/contract/endpoint.ts";
import { keyScopeNames } from "../../../../lib/contract/key-scopes.ts";
import { requiredKeyScope } from "../../../../lib/contract/required-key-scope.ts";
import { TestService } from "../../../support/service.ts";
import { callInConsole, openConsole } from "./console-helpers.ts";

/** The scopes of each role, as docs/console.md states them. */
const scopesOf: Readonly<Record<string, readonly string[]>> = {
  reader: ["read", "labs"],
  support: ["read", "webhooks"],
  clinician: ["read", "labs"],
  admin: keyScopeNames,
};

/** Every route that a reader may call. None of them reads data of users. */
const OPEN_TO_READERS = [
  ...["getAreaInfo", "getCallingTeam", "getConsoleSession", "endConsoleSession", "getFhirGroup", "getLabTest"],
  "renewConsoleSession",
  ...["getLabTestCollectionInstructionPdf", "getLabs", "getMarkers", "getMarkersByLabAndProviderId"],
  ...["getMarkersForLabTest", "getOverview", "getPaginatedLabTests", "getPhysicians"],
  ...["getPhlebotomyAppointmentCancellationReason", "getPscAppointmentCancellationReason", "getPscInfo"],
  ...["getSourcePriorities", "getTeamLabAccounts", "listLabTests", "listProviders"],
  ...["listUnmatchedResultTestCases", "searchDiagnosis", "searchGetPayorInfo"],
];

const ofConsole = endpoints.filter(({ auth }) => auth === "team" || auth === "console");
/** Signing out would end the session of the other calls. */
const called = ofConsole.filter(({ operationId }) => operationId !== "endConsoleSession");

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** Whether the service refuses a role on a route because of the role. Ids in the path belong to nothing. */
async function isRefused(headers: Record<string, string>, { method, path }: EndpointContract): Promise<boolean> {
  const to = path.replaceAll(/\{\w+\}/g, crypto.randomUUID());
  const { status, body } = await callInConsole(service, headers, method, to);
  if (status === 401 || status >= 500) throw new Error(`${method} ${path}: ${status}`);
  return status === 403 && /The role \w+ may not|requires the scope/.test(JSON.stringify(body));
}

function isExpectedOpen(role: string, contract: EndpointContract): boolean {
  if (role === "reader") return OPEN_TO_READERS.includes(contract.operationId);
  if (contract.auth === "console") return contract.consoleRole === undefined || contract.consoleRole === role;
  return scopesOf[role]?.includes(requiredKeyScope(contract) ?? "") === true;
}

describe("every route of a team", () => {
  test.each(Object.keys(scopesOf))(
    "is open to the role %s exactly as its scopes say",
    { tags: "deep" },
    async (role) => {
      const headers = await openConsole(service, { key: service.identity.api_key, role });
      const wrong: string[] = [];
      for (const contract of called) {
        const isOpen = !(await isRefused(headers, contract));
        if (isOpen !== isExpectedOpen(role, contract))
          wrong.push(`${contract.operationId} ${isOpen ? "open" : "refused"}`);
      }
      expect(wrong).toEqual([]);
    },
  );

  test("that is open to readers has no grant that reaches data of users, and changes nothing", () => {
    const open = ofConsole.filter(({ operationId }) => OPEN_TO_READERS.includes(operationId));
    expect(open.map(({ operationId }) => operationId).toSorted()).toEqual(OPEN_TO_READERS.toSorted());
    expect(open.filter((contract) => accessLogMode(contract) !== undefined)).toEqual([]);
    const changing = open.filter(({ method }) => method !== "GET").map(({ operationId }) => operationId);
    expect(changing).toEqual(["endConsoleSession", "renewConsoleSession"]);
  });
});

test("a session opens no route of another kind of credential", async () => {
  const headers = await openConsole(service, { key: service.identity.api_key });
  const others = endpoints.filter(({ auth }) => !["team", "console", "none", "management"].includes(auth));
  const statuses = await Promise.all(
    others.map(({ method, path }) =>
      callInConsole(service, headers, method, path.replaceAll(/\{\w+\}/g, crypto.randomUUID())),
    ),
  );
  expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([401]));
  const { org_id } = service.identity;
  const answer = await service.manage("GET", `/v1/org/${org_id}/team`, { key: null, headers });
  expect(answer.status).toBe(401);
});
