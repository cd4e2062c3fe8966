import { describe, expect, test } from "vitest";
import { consumers, endpoints } from "../../functions/index.ts";
import type { EndpointContract } from "../../lib/contract/endpoint.ts";
import { grantsOf, notingOf } from "../../lib/contract/noted-calls.ts";
import { dataKey } from "../../lib/contract/resources.ts";
import { accessCallers } from "../../lib/domain/audit/access-entry.ts";

const isNoted = (contract: EndpointContract) => notingOf(contract) !== undefined;
const writesLog = (grants: readonly { use: string; action: string }[]) =>
  grants.some(({ use, action }) => use === "accessLog" && action === "dynamodb:PutItem");

/** Routes that no management key opens and that are not noted: nothing that they may reach is a user's. */
const NOT_NOTED = {
  "what a team has set up": [
    "getSourcePriorities",
    "updateSourcePriorities",
    "getCallingTeam",
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
  "insurers, and who has ordered for a team": ["createPayor", "searchGetPayorInfo", "searchPayorInfo", "getPhysicians"],
  "pages without content, and the way to them": [
    "beginOauthLink",
    "getLinkFile",
    "getPortalFile",
    "getReviewFile",
    "getSvixUrl",
  ],
  "the service itself": ["getOpenApi", "refuseUnknownRoute"],
  "addresses that providers check": ["answerPushChallenge", "checkPushAddress"],
};

describe("a call is noted", () => {
  test("wherever its route may reach what is kept of users, but for these", () => {
    const silent = endpoints.filter((contract) => contract.auth !== "management" && !isNoted(contract));
    const expected = Object.values(NOT_NOTED).flat();
    expect(silent.map(({ operationId }) => operationId).toSorted()).toEqual(expected.toSorted());
  });

  test("of the management interface in the audit log of the organisation, whatever it reaches", () => {
    const calls = endpoints.filter(({ auth }) => auth === "management");
    expect(
      calls.filter((contract) => isNoted(contract) || !grantsOf(contract).some(({ use }) => use === "auditLog")),
    ).toEqual([]);
  });

  test("with the right to write the log and no right to read, change or delete what is in it", () => {
    for (const contract of endpoints.filter(isNoted)) {
      const rights = grantsOf(contract).filter(({ use }) => use === "accessLog");
      expect([contract.operationId, ...rights.map(({ action }) => action)]).toEqual([
        contract.operationId,
        "dynamodb:PutItem",
      ]);
    }
  });

  test("before it has an effect: only what reads is noted beside it", () => {
    const beside = endpoints.filter((contract) => notingOf(contract) === "beside");
    const effects = beside.flatMap(({ operationId, access }) =>
      access
        // The keys of users open what a reading reads, and no secret: that of their purpose may be asked for nothing else.
        .filter(({ action, on }) => !(action === "kms:Decrypt" && on === dataKey))
        .filter(({ action }) => !/Get|Query|ConditionCheck|List|GenerateDataKey/.test(action))
        .map(({ action }) => `${operationId} ${action}`),
    );
    expect(effects).toEqual([]);
    expect(beside.map(({ operationId }) => operationId)).toContain("getGroupedTimeseries");
    expect(
      endpoints.filter((contract) => notingOf(contract) === "before").map(({ operationId }) => operationId),
    ).toContain("bulkExport");
  });
});

test("what the service sends out by itself is noted: deliveries, forwards, exports", () => {
  const noting = consumers.filter(({ access }) => writesLog(access)).map(({ operationId }) => operationId);
  expect(noting.toSorted()).toEqual(
    ["attemptDelivery", "forwardToBus", "forwardToKinesis", "forwardToQueue", "forwardToTeam", "runExport"].toSorted(),
  );
});

test("every kind of caller has a name in the log", () => {
  const kinds = new Set(endpoints.filter(isNoted).map(({ auth }) => auth as string));
  expect([...kinds].filter((kind) => !(accessCallers as readonly string[]).includes(kind))).toEqual([]);
});
