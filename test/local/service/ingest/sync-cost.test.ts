import { expect, it } from "vitest";
import type { MeterSnapshot } from "../../../../lib/local/aws-proxy/meter.ts";
import { TestService } from "../../../support/service.ts";
import { ingestBatch } from "./ingest-batch.ts";

const USERS = 12;
const series = (start: string, count: number, everyMs: number) =>
  Array.from({ length: count }, (_, at) => ({
    timestamp: new Date(Date.parse(start) + at * everyMs + ((at * 7919) % 700)).toISOString(),
    value: 60 + ((at * 31) % 23),
  }));
const one = (start: string) => ({ heartrate: series(start, 54, 5_500) });
const four = (start: string) => ({
  ...one(start),
  hrv: series(start, 5, 60_000),
  blood_oxygen: series(start, 5, 60_000).map((s) => ({ ...s, value: 95 + (s.value % 5) })),
  respiratory_rate: series(start, 5, 60_000).map((s) => ({ ...s, value: 12 + (s.value % 5) })),
});

it("prints", async () => {
  const service = await TestService.start();
  try {
    for (const [name, make] of Object.entries({ one, four })) {
      const users: string[] = [];
      for (let n = 0; n < USERS; n++) users.push(await service.createUser(`${name}${n}`));
      for (const user of users) await ingestBatch(service, user, make("2026-05-01T08:00:00Z"));
      await service.advance(300_000);
      await service.call("DELETE", "/_local/meter");
      for (const user of users) {
        const { status } = await service.call("POST", `/v2/ingest/${user}`, {
          body: { provider: "apple_health_kit", source_type: "watch", resources: make("2026-05-01T08:05:00Z") },
        });
        expect(status).toBe(202);
        await service.settle();
      }
      const meter: MeterSnapshot = (await service.call("GET", "/_local/meter")).body;
      const show = ({ requests, read_units, write_units }: MeterSnapshot["total"]) =>
        `${(requests / USERS).toFixed(2)} req ${(read_units / USERS).toFixed(2)} r ${(write_units / USERS).toFixed(2)} w`;
      console.log(name, "all", show(meter.total));
      for (const [fn, tally] of Object.entries(meter.functions)) {
        console.log(`  ${fn}: ${show(tally.total)}`);
        for (const [table, ops] of Object.entries(tally.tables))
          for (const [op, units] of Object.entries(ops)) console.log(`      ${table} ${op}: ${show(units)}`);
        for (const group of ["queues", "buses", "keys", "buckets"] as const)
          for (const [table, ops] of Object.entries(tally[group]))
            for (const [op, units] of Object.entries(ops))
              console.log(`      ${group} ${table} ${op}: ${units.requests / USERS}`);
      }
    }
  } finally {
    await service.stop();
  }
});
