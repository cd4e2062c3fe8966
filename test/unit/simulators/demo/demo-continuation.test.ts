// @module-tag share
import fc from "fast-check";
import { expect, test } from "vitest";
import { createZoneCalendar } from "../../../../lib/simulators/demo/zone-calendar.ts";
import { chooseCount } from "../../../support/depth.ts";
import { byIdentity, type DeliveredRecord, deliverDemoData } from "./deliver-demo-data.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const anyPerson = {
  seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  timeZone: fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"),
  endMs: fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2027, 0, 1) }),
};
const days = fc.integer({ min: 0, max: 6 });

/** The activity of the unfinished day may differ between the earlier and the later delivery. */
const isUnfinished = (identity: string, unfinishedDate: string): boolean =>
  identity.endsWith(`activity ${unfinishedDate}`);

test("a later and longer delivery contains an earlier and shorter one unchanged", { tags: "deep" }, () => {
  fc.assert(
    fc.property(
      fc.record({ ...anyPerson, days, more: days, laterMs: fc.integer({ min: 0, max: 3 * DAY_MS }) }),
      (given) => {
        const { more, laterMs, ...request } = given;
        const longer = Math.ceil(laterMs / DAY_MS) + 1 + more;
        const earlier = byIdentity(deliverDemoData(request));
        const later = byIdentity(
          deliverDemoData({ ...request, days: request.days + longer, endMs: request.endMs + laterMs }),
        );
        const zone = createZoneCalendar(request.timeZone);
        const today = new Date(zone.dayAt(request.endMs) * DAY_MS).toISOString().slice(0, 10);
        for (const [identity, record] of earlier) {
          if (!isUnfinished(identity, today)) expect([identity, later.get(identity)]).toEqual([identity, record]);
        }
      },
    ),
    { numRuns: chooseCount(10, 40) },
  );
});

test("daily deliveries every few hours add up to one delivery of all days", { tags: "deep" }, () => {
  fc.assert(
    fc.property(fc.record({ ...anyPerson, hours: fc.integer({ min: 1, max: 20 }) }), ({ hours, endMs, ...person }) => {
      const stored = new Map<string, DeliveredRecord>(byIdentity(deliverDemoData({ ...person, endMs, days: 3 })));
      let nowMs = endMs;
      for (let refresh = 0; refresh < 6; refresh++) {
        nowMs += hours * HOUR_MS;
        for (const [identity, record] of byIdentity(deliverDemoData({ ...person, endMs: nowMs, days: 1 }))) {
          stored.set(identity, record);
        }
      }
      const zone = createZoneCalendar(person.timeZone);
      const daysInAll = 3 + zone.dayAt(nowMs) - zone.dayAt(endMs);
      const whole = byIdentity(deliverDemoData({ ...person, endMs: nowMs, days: daysInAll }));
      const sorted = (records: Map<string, DeliveredRecord>) => [...records].toSorted(([a], [b]) => (a < b ? -1 : 1));
      expect(sorted(stored)).toEqual(sorted(whole));
    }),
    { numRuns: chooseCount(6, 25) },
  );
});

test("the same request gives exactly the same delivery", () => {
  const request = { seed: 99, days: 5, endMs: Date.UTC(2026, 4, 5, 6) };
  expect(deliverDemoData(request)).toEqual(deliverDemoData(request));
});
