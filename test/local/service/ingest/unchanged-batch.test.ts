import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { createHeartRates } from "./ingest-batch.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
}, 120_000);
afterAll(() => service.stop());

const batch = (start: string) => ({
  provider: "oura",
  source_type: "ring",
  resources: { heartrate: createHeartRates(start, 300) },
});

/** Counts the write units of a table since the last reset of the meter. */
async function writeUnits(table: string): Promise<number> {
  const { body } = await service.call("GET", "/_local/meter");
  const rows = Object.entries(body.tables as Record<string, Record<string, { write_units?: number }>>);
  const [, operations] = rows.find(([name]) => name.includes(table)) ?? ["", {}];
  return Object.values(operations).reduce((sum, { write_units = 0 }) => sum + write_units, 0);
}

test("a repeated unchanged batch writes no sample and sends no event", async () => {
  const user = await service.createUser("resender");
  const push = async () => {
    await service.call("DELETE", "/_local/meter");
    const { body } = await service.call("POST", `/v2/ingest/${user}`, { body: batch("2026-01-05T08:00:00Z") });
    await service.settle();
    return (await service.call("GET", `/v2/ingest/${user}/${body.receipt_id}`)).body;
  };
  expect(await push()).toMatchObject({ status: "done", stored: 300, event_ids: [expect.any(String)] });
  expect(await writeUnits("samples")).toBe(1);
  expect(await push()).toMatchObject({ status: "done", unchanged: 300, event_ids: [] });
  expect(await writeUnits("samples")).toBe(0);
});
