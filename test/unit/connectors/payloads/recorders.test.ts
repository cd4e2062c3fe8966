import { describe, expect, test } from "vitest";
import type { Connector, PulledBatch } from "../../../../lib/connectors/connector.ts";
import { dexcom } from "../../../../lib/connectors/dexcom/dexcom.ts";
import { summaryTypes, toBatches } from "../../../../lib/connectors/garmin/summary-types.ts";
import { googleHealth } from "../../../../lib/connectors/google-health/google-health.ts";
import { groupByRecorder } from "../../../../lib/connectors/group-by-recorder.ts";
import { polar } from "../../../../lib/connectors/polar/polar.ts";
import { toMeasures } from "../../../../lib/connectors/withings/map-measures.ts";
import { withings } from "../../../../lib/connectors/withings/withings.ts";
import { createConnection, windowBetween } from "../simulated-connection.ts";

const [FROM, TO] = ["2026-05-10", "2026-05-14"];
const WITHINGS = "892359876fd8805ac45bab078c4828692f0276b1";
const TRANSMITTER = "9c7bb2d83e6e1a1ad3c3c3de1fdb2ec4eaae3f6b84b5d5b2b6f3f9a4f0e7c1d2";

test.each<[Connector, string, string | undefined]>([
  [dexcom, "glucose", TRANSMITTER],
  [dexcom, "carbohydrates", undefined],
  [withings, "body", WITHINGS],
  [withings, "activity", WITHINGS],
  [withings, "sleep", WITHINGS],
  [polar, "sleep", "1111AAAA"],
  [polar, "activity", undefined],
  [googleHealth, "sleep", "Pixel Watch 4"],
  [googleHealth, "heartrate", undefined],
])("the batches of $slug name the device of %s where the provider names it", async (connector, resource, device) => {
  const { client } = await createConnection(connector);
  const batches: PulledBatch[] = [];
  for await (const batch of connector.pull(resource, windowBetween(FROM, TO), client)) batches.push(batch);
  expect(batches.length).toBeGreaterThan(0);
  expect(new Set(batches.map(({ device_id }) => device_id))).toEqual(new Set([device]));
});

describe("one response of several devices", () => {
  test("becomes a batch per device, in the order of the records", () => {
    const records = [
      ["b", 1],
      ["a", 2],
      ["b", 3],
      ["", 4],
      [null, 5],
    ] as const;
    const groups = groupByRecorder(records, ([device_id]) => ({ device_id }));
    expect(groups.map(({ recorder, records: own }) => [recorder, own.map(([, value]) => value)])).toEqual([
      [{ device_id: "b" }, [1, 3]],
      [{ device_id: "a" }, [2]],
      [{}, [4, 5]],
    ]);
    expect(groupByRecorder([], () => ({}))).toEqual([]);
  });

  test("of two scales gives each scale its own body summary of the day", () => {
    const measured = (hash_deviceid: string, value: number) => ({
      ...{ attrib: 0, category: 1, date: 1_778_400_000, hash_deviceid },
      measures: [{ type: 1, value, unit: 0 }],
    });
    const always = { startMs: 0, endMs: Number.POSITIVE_INFINITY };
    const batches = toMeasures([measured("home", 70), measured("gym", 71)], "UTC", always);
    expect(batches.map(({ device_id, source_type, resources }) => [device_id, source_type, resources.body])).toEqual([
      ["home", "scale", [expect.objectContaining({ weight: 70 })]],
      ["gym", "scale", [expect.objectContaining({ weight: 71 })]],
    ]);
  });

  test("of Garmin names the model of the watch for activities and their details", () => {
    const about = { userId: "u", startTimeInSeconds: 1_778_400_000, durationInSeconds: 60, summaryId: "1" };
    const { activities, activityDetails } = summaryTypes;
    if (!activities || !activityDetails) throw new Error("missing types");
    const one = { ...about, deviceName: "Forerunner 965" };
    const devices = (batches: readonly PulledBatch[]) => batches.map(({ device_id }) => device_id);
    expect(devices(toBatches(activities, [one, about]))).toEqual(["Forerunner 965", undefined]);
    expect(devices(toBatches(activityDetails, [{ userId: "u", summary: one, samples: [] }]))).toEqual([
      "Forerunner 965",
    ]);
  });
});
