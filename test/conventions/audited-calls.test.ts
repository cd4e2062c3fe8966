import { describe, expect, test } from "vitest";
import { consumers, endpoints } from "../../functions/index.ts";
import type { Grant } from "../../lib/contract/access.ts";
import { accessLogMode, effectiveGrants } from "../../lib/contract/access-log-mode.ts";
import type { EndpointContract } from "../../lib/contract/endpoint.ts";
import { dataKey } from "../../lib/contract/resources.ts";
import { accessCallers } from "../../lib/domain/audit/access-entry.ts";

const isAudited = (contract: EndpointContract) => accessLogMode(contract) !== undefined;
const writesLog = (grants: readonly Grant[]) =>
  grants.some(({ dependency, action }) => dependency === "accessLog" && action === "dynamodb:PutItem");

/** Routes without a management key that are not audited, because they reach no user data. */
const NOT_AUDITED = {
  "settings of a team": [
    "getSourcePriorities",
    "getConsentNotice",
    "listConsentKeys",
    "updateSourcePriorities",
    "getCallingTeam",
    "getLinkConfig",
    "getTeamLabAccounts",
    "listBulkOps",
    "listPortalWebhooks",
  ],
  "lab tests, panels and laboratories": [
    ...[
      "createLabTest",
      "getLabTest",
      "getLabTestCollectionInstructionPdf",
      "getLabs",
      "getMarkers",
      "getMarkersForLabTest",
    ],
    ...[
      "getMarkersByLabAndProviderId",
      "getMarkersForOrderSet",
      "getPaginatedLabTests",
      "listLabTests",
      "updateLabTest",
    ],
    ...["convertCompendium", "searchCompendium", "searchOrderableTests"],
  ],
  "catalogues of codes, providers, places and reasons": [
    ...["searchDiagnosis", "validateIcdCodes", "searchLoinc", "getAllProviders", "listProviders", "getProviderLogo"],
    ...["getAreaInfo", "getPscInfo", "listUnmatchedResultTestCases"],
    ...["getPhlebotomyAppointmentCancellationReason", "getPscAppointmentCancellationReason"],
  ],
  "insurers, and physicians of a team": ["createPayor", "searchGetPayorInfo", "searchPayorInfo", "getPhysicians"],
  "pages without content, and redirects to them": [
    "beginOauthLink",
    "getConsolePage",
    "getLinkFile",
    "getPortalFile",
    "getReviewFile",
    "getSvixUrl",
  ],
  "counts of a whole team": ["getOverview"],
  "sessions of the console, which hold nothing of users": [
    "beginConsoleSignIn",
    "endConsoleSession",
    "finishConsoleSignIn",
    "getConsoleSession",
    "listConsoleSessions",
    "openConsoleSession",
    "renewConsoleSession",
    "revokeConsoleSession",
  ],
  "the service itself": [
    ...["getApiReference", "getAsyncApi", "getFhirCapabilities", "getFhirGroup", "getOpenApi", "getProtectedResource"],
    "getSmartConfiguration",
    "refuseUnknownRoute",
  ],
  "tokens of SMART clients": ["createFhirToken"],
  "URLs that providers verify": ["answerPushChallenge", "checkPushAddress"],
};

describe("a call is recorded", () => {
  test("if its route may reach user data, with these exceptions", () => {
    const silent = endpoints.filter((contract) => contract.auth !== "management" && !isAudited(contract));
    const expected = Object.values(NOT_AUDITED).flat();
    expect(silent.map(({ operationId }) => operationId).toSorted()).toEqual(expected.toSorted());
  });

  test("in the organisation's audit log if it belongs to the management interface", () => {
    const calls = endpoints.filter(({ auth }) => auth === "management");
    expect(
      calls.filter(
        (contract) =>
          isAudited(contract) || !effectiveGrants(contract).some(({ dependency }) => dependency === "auditLog"),
      ),
    ).toEqual([]);
  });

  test("unless its contract says that it answers counts only, which few do", () => {
    const counting = endpoints.filter(({ answersCountsOnly }) => answersCountsOnly);
    expect(counting.map(({ operationId }) => operationId)).toEqual(NOT_AUDITED["counts of a whole team"]);
    expect(counting.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("with the permission to write the log, but not to read, change or delete entries", () => {
    for (const contract of endpoints.filter(isAudited)) {
      const rights = effectiveGrants(contract).filter(({ dependency }) => dependency === "accessLog");
      expect([contract.operationId, ...rights.map(({ action }) => action)]).toEqual([
        contract.operationId,
        "dynamodb:PutItem",
      ]);
    }
  });

  test("before its effect; only reads are recorded in parallel", () => {
    const beside = endpoints.filter((contract) => accessLogMode(contract) === "beside");
    const effects = beside.flatMap(({ operationId, access }) =>
      access
        // Reads decrypt data with user keys. Keys of other purposes do not open through this grant.
        .filter(({ action, resource }) => !(action === "kms:Decrypt" && resource === dataKey))
        .filter(({ action }) => !/Get|Query|ConditionCheck|List|GenerateDataKey/.test(action))
        .map(({ action }) => `${operationId} ${action}`),
    );
    expect(effects).toEqual([]);
    expect(beside.map(({ operationId }) => operationId)).toContain("getGroupedTimeseries");
    expect(
      endpoints.filter((contract) => accessLogMode(contract) === "before").map(({ operationId }) => operationId),
    ).toContain("bulkExport");
  });
});

test("the service records the data that it sends itself: deliveries, forwards, exports, lakes", () => {
  const recording = consumers.filter(({ access }) => writesLog(access)).map(({ operationId }) => operationId);
  expect(recording.toSorted()).toEqual(
    [
      "appendToLake",
      "attemptDelivery",
      "deliverEvent",
      "forwardToBus",
      "forwardToKinesis",
      "forwardToQueue",
      "forwardToTeam",
      "runExport",
    ].toSorted(),
  );
});

test("every kind of caller has a name in the log", () => {
  const kinds = new Set(endpoints.filter(isAudited).map(({ auth }) => auth as string));
  expect([...kinds].filter((kind) => !(accessCallers as readonly string[]).includes(kind))).toEqual([]);
});
