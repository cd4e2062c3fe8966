import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { userDigest } from "../../../../lib/domain/erasure/erasure-certificate.ts";
import { HOUR_MS, MINUTE_MS } from "../../../../lib/domain/shared/durations.ts";

import { type Answer, TestService } from "../../../support/service.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import { placeOrder, simulateOrder } from "../orders/order-helpers.ts";
import { findFunctionName, findItemsContaining } from "../support/stored-items.ts";
import { exportManifest, readFiles, readLines, readUrl, startExport } from "./bulk-helpers.ts";
import { readAll } from "./fhir-helpers.ts";

type Body = Answer["body"];

let service: TestService;
let users: string[];
beforeAll(async () => {
  service = await TestService.start();
  users = [];
  for (const name of ["first", "second", "third"]) users.push(await service.createUser(name));
  for (const [index, userId] of users.entries()) {
    const weight = [{ timestamp: `2026-05-0${index + 1}T08:00:00Z`, value: 70 + index }];
    await ingestBatch(service, userId, { body_weight: weight }, { device: { id: "scale" } });
  }
  await simulateOrder(service, (await placeOrder(service, users[0] ?? "")).id);
});
afterAll(() => service.stop());

const refOf = ({ resourceType, id }: Body) => `${resourceType}/${id}`;
const keyWith = async (scopes: string[]): Promise<string> => {
  const { org_id, team_id } = service.identity;
  const body = { label: scopes.join(), team_id, scopes };
  return (await service.manage("POST", `/v1/org/${org_id}/team_api_keys/sandbox/us`, { body })).body.value;
};
const status = async (answer: Promise<Answer>) => (await answer).status;

describe("a bulk export", () => {
  test("contains what a search of each patient returns", { tags: "deep" }, async () => {
    const { manifest } = await exportManifest(service, "/Patient/$export");
    expect(manifest).toMatchObject({ requiresAccessToken: true, deleted: [], error: [] });
    expect(manifest.request).toBe(`${service.baseUrl}/fhir/Patient/$export`);
    expect(Date.parse(manifest.transactionTime)).not.toBeNaN();
    const searched = [];
    for (const userId of users) searched.push(...(await readAll(service, `/Patient/${userId}/$everything`)));
    const exported = await readFiles(service, manifest);
    expect(exported.map(refOf).toSorted()).toEqual(searched.map(refOf).toSorted());
    expect(exported).toEqual(expect.arrayContaining(searched));
    expect(new Set(exported.map(({ resourceType }) => resourceType))).toEqual(
      new Set(["Patient", "ServiceRequest", "DiagnosticReport", "Specimen", "Observation"]),
    );
  });

  test("of the Group of all users is the same, with GET and POST", async () => {
    expect((await service.call("GET", "/fhir/Group/all")).body).toMatchObject({ resourceType: "Group", id: "all" });
    const body = { resourceType: "Parameters", parameter: [{ name: "_type", valueString: "Patient" }] };
    const ofPost = await exportManifest(service, "/Group/all/$export", { body });
    const ofGet = await exportManifest(service, "/Group/all/$export?_type=Patient");
    const found = await readFiles(service, ofGet.manifest);
    expect(found.map(({ id }) => id)).toEqual(users.toSorted());
    expect(await readFiles(service, ofPost.manifest)).toEqual(found);
    for (const path of ["/fhir/Group/other", "/fhir/Group/other/$export"])
      expect((await service.call("GET", path, { headers: { prefer: "respond-async" } })).body).toMatchObject({
        resourceType: "OperationOutcome",
        issue: [{ code: "not-found" }],
      });
  });

  test("of named patients contains these alone", async () => {
    const [first = "", , third = ""] = users;
    const parameter = [first, third].map((id) => ({ name: "patient", valueReference: { reference: `Patient/${id}` } }));
    const { manifest } = await exportManifest(service, "/Patient/$export", {
      body: { resourceType: "Parameters", parameter: [...parameter, { name: "_type", valueCode: "Patient" }] },
    });
    expect((await readFiles(service, manifest)).map(({ id }) => id)).toEqual([first, third].toSorted());
  });

  test("contains what the service received after _since and until _until", { tags: "deep" }, async () => {
    const [first = ""] = users;
    await service.advance(HOUR_MS);
    const before = (await exportManifest(service, "/Patient/$export?_type=Observation")).manifest;
    await service.advance(HOUR_MS);
    await ingestBatch(service, first, { body_weight: [{ timestamp: "2026-05-09T08:00:00Z", value: 69 }] });
    const ids = async (query: string) => {
      const { manifest } = await exportManifest(service, `/Patient/$export?_type=Observation&${query}`);
      return (await readFiles(service, manifest)).map(refOf).toSorted();
    };
    const results = (await readFiles(service, before)).filter(({ basedOn }) => basedOn).map(refOf);
    const time = encodeURIComponent(before.transactionTime);
    const all = (await readAll(service, `/Observation?patient=${first}&date=2026-05-09`)).map(refOf);
    expect(all).toHaveLength(1);
    // Nobody knows when a value of a result changed, so it is in each export.
    expect(await ids(`_since=${time}`)).toEqual([...results, ...all].toSorted());
    expect(await ids(`_until=${time}`)).toEqual((await readFiles(service, before)).map(refOf).toSorted());
  });

  test("reports its progress until it is done, and names its end", { tags: "deep" }, async () => {
    const hold = { service: "s3", function: findFunctionName(service, "runExport"), mode: "fail_before" } as const;
    const fault = { ...hold, every_attempt: true };
    service.cloud.faults.add(fault);
    const { headers } = await startExport(service, "/Patient/$export?_type=Patient");
    const url = headers.get("content-location") ?? "";
    await service.settle();
    const running = await readUrl(service, url);
    expect([running.status, running.headers.get("x-progress")]).toEqual([202, "0 users and 0 resources done"]);
    expect(Number(running.headers.get("retry-after"))).toBeGreaterThan(0);
    service.cloud.faults.clear();
    await service.advance(HOUR_MS);
    const done = await readUrl(service, url);
    expect([done.status, done.body.output.length]).toEqual([200, 1]);
    const [file] = done.body.output;
    expect(Date.parse(done.headers.get("expires") ?? "") - Date.parse(done.body.transactionTime)).toBeGreaterThan(
      47 * HOUR_MS,
    );
    await service.advance(48 * HOUR_MS);
    for (const gone of [url, file.url]) {
      const { status, body } = await readUrl(service, gone);
      expect([status, body.resourceType]).toEqual([404, "OperationOutcome"]);
    }
  });

  test("fails with an OperationOutcome when a step fails each time", { tags: "deep" }, async () => {
    const about = { service: "s3", function: findFunctionName(service, "runExport"), mode: "fail_before" } as const;
    service.cloud.faults.add(about);
    const { headers } = await startExport(service, "/Patient/$export");
    await service.settle();
    await service.advance(3 * HOUR_MS);
    service.cloud.faults.clear();
    const { status, body } = await readUrl(service, headers.get("content-location") ?? "");
    expect([status, body.issue]).toEqual([
      500,
      [{ severity: "error", code: "exception", diagnostics: "The export failed. Start it again." }],
    ]);
  });

  test("is recorded in the access log for each user", { tags: "deep" }, async () => {
    const { org_id, team_id } = service.identity;
    const { url } = await exportManifest(service, "/Patient/$export");
    const exportId = url.split("/").at(-1);
    for (const userId of users) {
      const path = `/v1/org/${org_id}/team/${team_id}/access_log?user_id=${userId}&limit=100`;
      const { body } = await service.manage("GET", path);
      const { entries } = body;
      expect(entries).toContainEqual(
        expect.objectContaining({
          operation: "runExport",
          subject: userDigest(team_id, userId),
          target: { export_id: exportId },
        }),
      );
    }
  });
});

describe("a deleted user", () => {
  test("is in no file from then on, and its parts are erased", { tags: "deep" }, async () => {
    const userId = await service.createUser("leaves");
    const { manifest } = await exportManifest(service, "/Patient/$export?_type=Patient");
    const [{ url }] = manifest.output;
    const names = async () => {
      const answer = await fetch(url, { headers: { "x-service-api-key": service.identity.api_key } });
      return readLines(await answer.text()).map(({ id }) => id);
    };
    expect(await names()).toContain(userId);
    await service.call("DELETE", `/v2/user/${userId}`);
    expect(await names()).toEqual(users.toSorted());
    const again = await exportManifest(service, "/Patient/$export?_type=Patient");
    expect((await readFiles(service, again.manifest)).map(({ id }) => id)).toEqual(users.toSorted());
    await service.advance(8 * 24 * HOUR_MS);
    const { body } = await service.call("GET", `/v2/user/erasure/${userId}`);
    expect(body.stores).toMatchObject({ userExports_objects: 1 });
    expect(body.scan.found).toBe(0);
  });
});

describe("a cancelled export", () => {
  test("answers as an unknown one, and frees its place", async () => {
    const { url, manifest } = await exportManifest(service, "/Patient/$export?_type=Patient");
    const cancel = () => service.call("DELETE", url.slice(service.baseUrl.length));
    expect(await status(cancel())).toBe(202);
    expect(await status(cancel())).toBe(404);
    expect(await status(readUrl(service, url))).toBe(404);
    expect(await status(readUrl(service, manifest.output[0].url))).toBe(404);
  });

  test("loses its files at the second call if the first one broke off", async () => {
    const { url } = await exportManifest(service, "/Patient/$export?_type=Patient");
    const exportId = url.split("/").at(-1) ?? "";
    const filesOf = async () => (await findItemsContaining(service, exportId)).filter((name) => name.includes("file#"));
    const cancel = () => service.call("DELETE", url.slice(service.baseUrl.length));
    breakMessages("cancelFhirExport", 1);
    expect(await status(cancel())).toBe(503);
    service.cloud.faults.clear();
    expect(await filesOf()).toHaveLength(1);
    expect(await status(cancel())).toBe(404);
    await service.settle();
    expect(await filesOf()).toEqual([]);
  });
});

/** Makes each call of an operation fail at its n-th message. */
const breakMessages = (operation: string, at_call: number) =>
  service.cloud.faults.add({
    ...{ service: "sqs", function: findFunctionName(service, operation) },
    ...{ mode: "fail_before", at_call, every_attempt: true },
  });

describe("a team", () => {
  test("gets the place of an export back whose start broke off", { tags: "deep" }, async () => {
    for (const _ of ["one", "two"]) {
      breakMessages("getFhirPatient", 2);
      expect(await status(startExport(service, "/Patient/$export"))).toBe(503);
      service.cloud.faults.clear();
    }
    expect(await status(startExport(service, "/Patient/$export"))).toBe(429);
    await service.advance(MINUTE_MS);
    await service.settle();
    await exportManifest(service, "/Patient/$export");
  });

  test("has two exports in progress at most", { tags: "deep" }, async () => {
    service.cloud.faults.add({
      ...{ service: "s3", function: findFunctionName(service, "runExport") },
      mode: "fail_before",
    });
    const started = [];
    for (const _ of ["one", "two"]) started.push(await startExport(service, "/Patient/$export"));
    expect(started.map((answer) => answer.status)).toEqual([202, 202]);
    const third = await startExport(service, "/Patient/$export");
    expect([third.status, third.body.issue[0].code]).toEqual([429, "throttled"]);
    expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
    for (const { headers } of started)
      await service.call("DELETE", (headers.get("content-location") ?? "").slice(service.baseUrl.length));
    service.cloud.faults.clear();
    await exportManifest(service, "/Patient/$export");
  });

  test("does not see the exports and patients of another one", async () => {
    const { key } = await service.createTeam("other team of exports");
    const own = await service.createUser("of the other team", key);
    const ofOther = await exportManifest(service, "/Patient/$export?_type=Patient", { key });
    expect((await readFiles(service, ofOther.manifest, key)).map(({ id }) => id)).toEqual([own]);
    expect(await status(readUrl(service, ofOther.url))).toBe(404);
    expect(await status(readUrl(service, ofOther.manifest.output[0].url))).toBe(404);
    expect(await status(service.call("DELETE", ofOther.url.slice(service.baseUrl.length)))).toBe(404);
    const parameter = [{ name: "patient", valueReference: { reference: `Patient/${own}` } }];
    expect(
      await status(startExport(service, "/Patient/$export", { body: { resourceType: "Parameters", parameter } })),
    ).toBe(400);
  });
});

describe("a key without the scope labs", () => {
  test("exports neither orders nor results, and may not read an export that has them", { tags: "deep" }, async () => {
    const key = await keyWith(["read"]);
    const { manifest } = await exportManifest(service, "/Patient/$export", { key });
    const found = await readFiles(service, manifest, key);
    const kinds = new Set(found.map(({ resourceType, basedOn }) => `${resourceType}${basedOn ? " of an order" : ""}`));
    expect(kinds).toEqual(new Set(["Patient", "Observation"]));
    expect(await status(startExport(service, "/Patient/$export?_type=ServiceRequest", { key }))).toBe(403);
    const whole = await exportManifest(service, "/Patient/$export");
    expect(await status(readUrl(service, whole.url, { key }))).toBe(403);
    expect(await status(readUrl(service, whole.manifest.output[0].url, { key }))).toBe(403);
  });
});

describe("a request is refused", () => {
  const refused: [string, string, object?, unknown?][] = [
    ["without respond-async", "/Patient/$export", { prefer: "return=minimal" }],
    ["for another format of the answer", "/Patient/$export", { accept: "text/html" }],
    ["for an unknown parameter", "/Patient/$export?_elements=id"],
    ["for a patient in the URL", `/Patient/$export?patient=${"0".repeat(8)}-0000-4000-8000-${"0".repeat(12)}`],
    ["for another format of files", "/Patient/$export?_outputFormat=text/csv"],
    ["for a date in place of an instant", "/Patient/$export?_since=2026-05-01"],
    ["for an impossible instant", "/Patient/$export?_since=2026-13-01T00:00:00Z"],
    ["for two instants", "/Patient/$export?_since=2026-05-01T00:00:00Z&_since=2026-05-02T00:00:00Z"],
    ["for an unknown type", "/Patient/$export?_type=Patient,Encounter"],
    ["for a body that is no Parameters", "/Patient/$export", {}, { resourceType: "Bundle" }],
    ["for a patient that is none", "/Group/all/$export", {}, parameters({ name: "patient", valueString: "nobody" })],
  ];
  test.each(refused)("%s", async (_, path, headers = {}, body = undefined) => {
    const answer = await startExport(service, path, { headers: headers as Record<string, string>, body });
    expect([answer.status, answer.body.resourceType, answer.body.issue[0].code]).toEqual([
      400,
      "OperationOutcome",
      "invalid",
    ]);
  });

  test("without a key, and for an unknown operation", async () => {
    expect(await status(startExport(service, "/Patient/$export", { key: null }))).toBe(401);
    for (const path of ["/Group/all/$import", "/Patient/$import"])
      expect(await status(startExport(service, path))).toBe(404);
  });

  test("unless it is lenient about an unknown parameter and type", async () => {
    const path = "/Patient/$export?_elements=id&_type=Patient,Encounter&_outputFormat=application/fhir+ndjson";
    const { manifest } = await exportManifest(service, path, {
      headers: { prefer: "respond-async, handling=lenient" },
    });
    expect(manifest.output.map(({ type }: Body) => type)).toEqual(["Patient"]);
  });
});

function parameters(...parameter: object[]) {
  return { resourceType: "Parameters", parameter };
}
