// @module-tag deep
import { afterAll, beforeAll, expect, test } from "vitest";
import { providers } from "../../../../../lib/domain/connections/providers/providers.ts";
import { functionNames } from "../../../../../lib/domain/queries/expressions/expressions.ts";
import { TestService } from "../../../../support/service.ts";
import { patientDetails } from "../../orders/order-helpers.ts";
import { createLabKey, createLabSender, createOruMessage } from "../../results/result-helpers.ts";

/** Maximum size of a function's response ("Lambda quotas", synchronous invocation payload). */
const MOST_BYTES = 6 * 1_048_576;
/** Compression would make all responses of this file small. */
const headers = { "accept-encoding": "identity" };

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

type Body = Awaited<ReturnType<TestService["call"]>>["body"];
const bytesOf = (body: Body) => Buffer.byteLength(JSON.stringify(body));

/** Reads all pages of a list. */
async function pagesOf(read: (cursor: string) => Promise<{ status: number; body: Body }>): Promise<Body[]> {
  const pages: Body[] = [];
  for (let cursor = ""; ; cursor = encodeURIComponent(pages.at(-1)?.next_cursor)) {
    const { status, body } = await read(cursor && `&next_cursor=${cursor}`);
    expect([status, bytesOf(body) < MOST_BYTES]).toEqual([200, true]);
    pages.push(body);
    if (!body.next_cursor) return pages;
  }
}

test("reviews of reports with 2,000 markers are listed in pages that fit a response", async () => {
  const send = createLabSender(service, await createLabKey(service));
  const markers = Array.from(
    { length: 2_000 },
    (_, n) => `OBX|${n + 2}|NM|${n}^${`Marker ${n} `.repeat(16)}^L||1|g|||||F`,
  );
  for (let n = 0; n < 25; n++) {
    const report = createOruMessage({ control: `L${n}`, last_name: `Long${patientDetails.last_name}` });
    expect((await send([report.trimEnd(), ...markers, ""].join("\r"))).code).toBe("AA");
  }
  const pages = await pagesOf((cursor) =>
    service.call("GET", `/v3/unmatched_result?search_input=long&limit=100${cursor}`, { headers }),
  );
  const reviews = pages.flatMap(({ data }) => data);
  expect(bytesOf(reviews)).toBeGreaterThan(MOST_BYTES);
  expect([reviews.length, new Set(reviews.map(({ id }) => id)).size]).toEqual([25, 25]);
  expect(pages.map(({ total }) => total)).toEqual(pages.map(() => 25));
});

test("continuous queries of 130 KB are listed in pages that fit a response", async () => {
  const { teamId } = await service.createTeam("Long queries");
  const base = `/v1/org/${service.identity.org_id}/team/${teamId}/sandbox/continuous_query`;
  const longest = (func: string, of: string) => ({
    func,
    arg: {
      select: { func: of, arg: { basal_body_temperature: "value" } },
      from: { unnest: { menstrual_cycle: "basal_body_temperature" } },
      where: `${"value > 36 and ".repeat(130)}value > 36`,
    },
  });
  const values = functionNames.flatMap((func) => functionNames.slice(0, -2).map((of) => longest(func, of)));
  const day = { date_trunc: { value: 1, unit: "day" }, arg: { index: "menstrual_cycle" } };
  const query = { select: [{ group_key: "*" }, ...values], group_by: [day] };
  for (let n = 0; n < 50; n++) {
    const made = await service.manage("POST", base, { body: { slug: `query-${n}`, title: "Long", query } });
    expect([made.status, made.body.detail]).toEqual([201, undefined]);
  }
  const pages = await pagesOf((cursor) => service.manage("GET", `${base}?${cursor}`, { headers }));
  expect(bytesOf(pages)).toBeGreaterThan(MOST_BYTES);
  expect(pages.flatMap(({ data }) => data).length).toBe(50);
});

test("all webhook endpoints of a team fit one response, whatever their size", async () => {
  const { teamId } = await service.createTeam("Much to say");
  const base = `/v1/org/${service.identity.org_id}/team/${teamId}/sandbox/webhook`;
  const types = (length: number, count: number) =>
    Array.from({ length: count }, (_, n) => `raw.${providers[0]?.slug}.${n}`.padEnd(length, "x"));
  const create = (port: number, filter_types: readonly string[]) => {
    const body = {
      url: `http://127.0.0.1:${port}/${"x".repeat(1_900)}`,
      description: "\u0001".repeat(1_000),
      filter_types,
    };
    return service.manage("POST", base, { body });
  };
  for (let port = 7_000; port < 7_100; port++) expect((await create(port, types(79, 500))).status).toBe(201);
  const { status, body } = await service.manage("GET", base, { headers });
  expect([status, body.data.length]).toEqual([200, 100]);
  const refused = await create(7_000, types(80, 500).concat("raw.oura.more"));
  expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ["body", "filter_types"]]);
});
