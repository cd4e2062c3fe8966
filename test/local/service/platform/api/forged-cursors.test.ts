// @module-tag share
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { endpoints } from "../../../../../functions/index.ts";
import type { EndpointContract } from "../../../../../lib/contract/endpoint.ts";
import { createPageCursor, cursorFields } from "../../../../../lib/runtime/http/page-cursor.ts";
import { TeamScope } from "../../../../../lib/store/team-scope.ts";
import { isDeep } from "../../../../support/depth.ts";
import { type Answer, TestService } from "../../../../support/service.ts";
import { callInConsole, openConsole } from "../../console/console-helpers.ts";
import { createHeartRates, ingestBatch } from "../../ingest/ingest-batch.ts";
import { RECEIVER_SECRET, Receiver } from "../../webhooks/webhook-receiver.ts";

const fieldsOf = (part: unknown) => (part instanceof z.ZodObject ? Object.keys(part.shape) : []);
const cursorsIn = (part: unknown) => fieldsOf(part).filter((field) => cursorFields.includes(field));
/** Every list with cursors, one entry for each field that accepts a cursor. */
const lists = endpoints.flatMap((contract: EndpointContract) =>
  (["query", "body"] as const).flatMap((part) =>
    cursorsIn(contract[part]).map((field) => ({ name: contract.operationId, contract, part, field })),
  ),
);

/** A search of FHIR names its patient, as a list of one. */
const patientQuery = {
  get patient() {
    return [ids.user_id];
  },
};

/** Required parameters of a query besides its cursor. */
const required: Readonly<Record<string, object>> = {
  getGroupedTimeseries: { start_date: "2026-05-01", end_date: "2026-05-02" },
  getSeries: { start_date: "2026-05-01", end_date: "2026-05-02" },
  getUsage: { start_date: "2026-05-01", end_date: "2026-05-02" },
  bulkExport: { provider: "oura" },
  listReportResults: {
    get user_id() {
      return ids.user_id;
    },
  },
  ...Object.fromEntries(
    endpoints
      .filter(({ operationId }) => /^searchFhir(?!Patients)/.test(operationId))
      .map(({ operationId }) => [operationId, patientQuery]),
  ),
};

/** Positions of every length and type that no page ends at, and some that one could. */
const parts: unknown[] = [
  "",
  "~",
  "\ud800",
  "\u0000",
  "#",
  "x".repeat(1_025),
  "é".repeat(600),
  "00000000-0000-4000-8000-000000000000",
  "2026-05-01T00:00:00.000Z",
  "9999-12-31",
  -1,
  0,
  1.5,
  1e300,
  null,
  true,
  [],
  {},
];
const allPositions: unknown[] = [
  null,
  "text",
  7,
  {},
  [],
  ...[1, 2, 3, 4, 5].flatMap((length) => parts.map((part) => Array.from({ length }, () => part))),
  ...parts.map((part) => ["2026-05-01T00:00:00.000Z", part]),
  ...parts.map((part) => [part, "2026-05-01T00:00:00.000Z"]),
  ...parts.map((part) => ["name", "x", part]),
  ...parts.map((part) => [part, 1, "x"]),
];
/** Every seventh in `npm test`: seven shares no factor with the number of parts, so each part is in one. */
const positions = allPositions.filter((_, index) => isDeep || index % 7 === 0);

let service: TestService;
let receiver: Receiver;
let ids: Record<string, string>;
let portal: Record<string, string>;
let person: Record<string, string>;

beforeAll(async () => {
  service = await TestService.start();
  receiver = await Receiver.start(service);
  const { org_id, team_id } = service.identity;
  const team = `/v1/org/${org_id}/team/${team_id}/sandbox`;
  const webhook = await service.manage("POST", `${team}/webhook`, {
    body: { url: receiver.url, secret: RECEIVER_SECRET },
  });
  const query = {
    slug: "efficiency",
    title: "Efficiency",
    query: {
      select: [{ group_key: "*" }, { func: "mean", arg: { sleep: "efficiency" } }],
      group_by: [{ date_trunc: { value: 1, unit: "day" }, arg: { index: "sleep" } }],
    },
  };
  const made = await service.manage("POST", `${team}/continuous_query`, { body: query });
  expect([webhook.status, made.status]).toEqual([201, 201]);
  const user_id = await service.createUser("the user");
  await ingestBatch(service, user_id, { heartrate: createHeartRates("2026-05-01T08:00:00Z", 10) });
  const { url } = (await service.call("GET", "/v2/team/svix/url")).body;
  portal = { "x-portal-session": new URL(url).hash.slice(1) };
  person = await openConsole(service, { key: service.identity.api_key });
  const named = { query_id_or_slug: "efficiency", resource: "heartrate", env: "sandbox", region: "us" };
  const fhir = { type: "DiagnosticReport", id: user_id, operation: "$everything" };
  ids = { org_id, team_id, user_id, webhook_id: webhook.body.id, ...named, ...fhir };
});
afterAll(async () => {
  await receiver.stop();
  await service.stop();
});

type List = (typeof lists)[number];

const pathOf = ({ path }: EndpointContract) => path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? "");

/** Requests the page of a list at a cursor. */
function ask({ contract, part, field }: List, cursor: string | undefined): Promise<Answer> {
  const asked = { ...required[contract.operationId], ...(cursor === undefined ? {} : { [field]: cursor }) };
  const query = part === "query" ? `?${new URLSearchParams(asked as Record<string, string>)}` : "";
  const options = part === "body" ? { body: asked } : {};
  const path = `${pathOf(contract)}${query}`;
  if (contract.auth === "management") return service.manage(contract.method, path, options);
  if (contract.auth === "console") return callInConsole(service, person, contract.method, path);
  if (contract.auth === "portal")
    return service.call(contract.method, path, { ...options, key: null, headers: portal });
  return service.call(contract.method, path, options);
}

/** FHIR answers 400 with an OperationOutcome. */
const refusalOf = ({ contract }: List) => (contract.tag === "fhir" ? 400 : 422);

/** Creates a cursor that is valid except for its position. */
function forge({ contract, part }: List, position: unknown): string {
  const { org_id, team_id } = service.identity;
  const caller = contract.auth === "management" ? { key: { org_id } } : { scope: TeamScope.grant(team_id) };
  const asked = required[contract.operationId] ?? {};
  const [query, body] = part === "query" ? [asked, undefined] : [{}, asked];
  const params = contract.params.parse(ids);
  const input = { params, query: contract.query.parse(query), body: body && contract.body?.parse(body) };
  return createPageCursor(contract, { caller, input }).write(position as string[]);
}

test("the contracts name every list with cursors", () => {
  expect(lists.length).toBeGreaterThanOrEqual(22);
});

describe.each(lists)("$name with $field", (list) => {
  test("reads an empty cursor as no cursor", { tags: "deep" }, async () => {
    const [without, empty] = [await ask(list, undefined), await ask(list, "")];
    expect([list.name, without.status, without.body]).toEqual([list.name, 200, without.body]);
    expect(empty.status).toBe(200);
  });

  test("refuses an invalid cursor and a cursor of another list", { tags: "deep" }, async () => {
    const [other = list] = lists.filter(({ contract }) => contract !== list.contract);
    const own = forge(list, ["a"]);
    const altered = `${own.slice(0, -1)}${own.endsWith("A") ? "B" : "A"}`;
    for (const cursor of ["x", "%00", "null", "0", "=".repeat(100), altered, forge(other, ["a"])]) {
      const { status, body } = await ask(list, cursor);
      expect([list.name, cursor, status]).toEqual([list.name, cursor, refusalOf(list)]);
      if (list.contract.tag === "fhir") expect(body.issue[0].diagnostics).toMatch(new RegExp(`^${list.field}: `));
      else expect(body.detail[0].loc).toEqual([list.part, list.field]);
    }
  });

  test("answers or refuses a forged position, whatever it is", { tags: "deep" }, async () => {
    const statuses = await Promise.all(
      positions.map(async (position) => [JSON.stringify(position), (await ask(list, forge(list, position))).status]),
    );
    expect(statuses.filter(([, status]) => status !== 200 && status !== refusalOf(list))).toEqual([]);
    expect(statuses.filter(([, status]) => status === refusalOf(list)).length).toBeGreaterThan(positions.length / 2);
  });
});
