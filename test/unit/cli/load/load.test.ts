import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stepAt, usualMix } from "../../../../lib/cli/load/load-mix.ts";
import { drawLoad, formatLoad, percentile, summarizeLoad } from "../../../../lib/cli/load/load-report.ts";
import { runLoad } from "../../../../lib/cli/load/run-load.ts";

let server: Server;
let baseUrl: string;
let open = 0;
let mostOpen = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    mostOpen = Math.max(mostOpen, ++open);
    const isRefused = request.url === "/v2/user/two";
    setTimeout(() => {
      open--;
      response.writeHead(isRefused ? 503 : 200).end("{}");
    }, 100);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

test("ten requests of the usual mix have its shares, and the kinds alternate", () => {
  const names = Array.from({ length: 10 }, (_, number) => stepAt(usualMix, number).name);
  expect(names.filter((name) => name === "push")).toHaveLength(6);
  expect(names.filter((name) => name === "read a day")).toHaveLength(3);
  expect(names.slice(0, 3)).not.toEqual(["push", "push", "push"]);
});

test("a load keeps its rate although answers take longer than the time between two requests", async () => {
  const mix = usualMix.filter(({ name }) => name === "read a user");
  let reported = 0;
  const options = { baseUrl, key: "k", mix, perSecond: 40, seconds: 0.5, userIds: ["one", "two"] };
  const results = await runLoad({ ...options, report: (ended) => (reported = ended) });
  expect(results).toHaveLength(20);
  expect(reported).toBe(20);
  // A load that waits for each answer has one open request at most.
  expect(mostOpen).toBeGreaterThan(1);
  const [row] = summarizeLoad(results);
  expect(row).toMatchObject({ step: "read a user", requests: 20, errors: 10 });
  expect(row?.p50).toBeGreaterThanOrEqual(99);
});

test("an address that does not respond counts as errors", async () => {
  const options = {
    baseUrl: "http://127.0.0.1:1",
    key: "k",
    mix: usualMix,
    perSecond: 20,
    seconds: 0.2,
    userIds: ["one"],
  };
  const rows = summarizeLoad(await runLoad({ ...options, report: () => {} }));
  expect(rows.every(({ requests, errors }) => requests === errors)).toBe(true);
});

test("percentiles are values of the list", () => {
  const hundred = Array.from({ length: 100 }, (_, place) => place + 1);
  expect([0.5, 0.95, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 95, 99, 100]);
  expect(percentile([7], 0.5)).toBe(7);
});

test("the table and the drawing show every kind of request", () => {
  const rows = summarizeLoad([
    { step: "push", status: 202, latencyMs: 10 },
    { step: "push", status: 0, latencyMs: 30 },
  ]);
  expect(formatLoad(rows).split("\n").at(-1)).toBe("| push | 2 | 1 | 10 | 30 | 30 | 30 |");
  expect(drawLoad("a title", rows)).toContain(">push</text>");
});
