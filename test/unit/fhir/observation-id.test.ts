import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  parseObservationId,
  resultDigest,
  resultObservationId,
  sampleDigest,
  sampleObservationId,
  summaryObservationId,
} from "../../../lib/domain/fhir/observation-id.ts";
import { resourceNames } from "../../../lib/domain/timeseries/resources.ts";

const FHIR_ID = /^[A-Za-z0-9\-.]{1,64}$/;
const instants = fc.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(2999, 11, 31) });
const samples = fc.record({
  userId: fc.uuid(),
  resource: fc.constantFrom(...resourceNames),
  startMs: instants,
  digest: fc.tuple(fc.string(), fc.string()).map(([stream, subtype]) => sampleDigest(stream, subtype)),
});

describe("the id of an Observation", () => {
  test("of a sample names user, resource, instant and source again", () => {
    fc.assert(
      fc.property(samples, (sample) => {
        const id = sampleObservationId(sample);
        expect(id).toMatch(FHIR_ID);
        expect(parseObservationId(id)).toEqual({ kind: "sample", ...sample });
      }),
    );
  });

  test("of a summary and of a result names them again", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string({ minLength: 1 }), (id, key) => {
        expect(resultObservationId(id, key)).toMatch(FHIR_ID);
        expect(parseObservationId(resultObservationId(id, key))).toEqual({
          kind: "result",
          orderId: id,
          digest: resultDigest(key),
        });
        expect(parseObservationId(summaryObservationId(id, "calories_total"))).toEqual({
          kind: "summary",
          summaryId: id,
          code: "calories-total",
        });
      }),
    );
  });

  test("differs for every resource, source and type of one instant", () => {
    const of = (resource: (typeof resourceNames)[number], stream: string, subtype = "") =>
      sampleObservationId({
        userId: "11111111-1111-4111-8111-111111111111",
        resource,
        startMs: 0,
        digest: sampleDigest(stream, subtype),
      });
    const ids = resourceNames.map((name) => of(name, "oura#ring"));
    ids.push(
      of("cholesterol", "oura#ring", "ldl"),
      of("cholesterol", "oura#ring", "hdl"),
      of("cholesterol", "oura#watch"),
    );
    expect(new Set(ids).size).toBe(resourceNames.length + 3);
  });

  test("is none for other texts", () => {
    fc.assert(fc.property(fc.string(), (text) => parseObservationId(text) === undefined));
    const id = sampleObservationId({
      userId: "ffffffff-ffff-4fff-8fff-ffffffffffff",
      resource: "steps",
      startMs: 0,
      digest: "00000000",
    });
    for (const other of [`${id}0`, id.slice(1), id.replace(/^s./, "sz"), `s${"0".repeat(42)}`])
      expect(parseObservationId(other)).toBeUndefined();
  });
});
