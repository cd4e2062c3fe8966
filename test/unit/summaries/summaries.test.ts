import { JunctionClient } from "@junction-api/sdk";
import { describe, expect, test } from "vitest";
import { toWireSource } from "../../../lib/domain/connections/sources/source.ts";
import { toWireSummary } from "../../../lib/domain/summaries/summary-kind.ts";
import { findSummaryKind } from "../../../lib/domain/summaries/summary-kinds.ts";
import { type SummaryName, summaryNames } from "../../../lib/domain/summaries/summary-names.ts";
import { acceptSummary, acceptValidSummary } from "./accept-summary.ts";
import { minimalSummaries } from "./minimal-summaries.ts";

const source = toWireSource({ provider: "oura", type: "ring" }, "https://api.example.com");
const frame = {
  id: "0d5c6d0d-3c11-4bd4-8f0e-6a1f6f3e1df0",
  user_id: "6a1f6f3e-1df0-4bd4-8f0e-0d5c6d0d3c11",
  created_at: "2026-01-02T09:00:00+00:00",
  updated_at: "2026-01-03T09:00:00+00:00",
};

const camelCase = (name: string) => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** Parses a response with a summary of this kind with the public client. */
async function readBy(name: SummaryName, answer: object): Promise<unknown> {
  const client = new JunctionClient({
    apiKey: "sk_us_test",
    baseUrl: "http://localhost",
    fetch: () => Promise.resolve(Response.json(answer)),
  });
  if (name === "devices") return client.user.getDevice({ userId: frame.user_id, deviceId: frame.id });
  const resource: unknown = Reflect.get(client, camelCase(name));
  if (typeof resource !== "object" || resource === null) throw new Error(`the client has no ${name}`);
  const get: unknown = Reflect.get(resource, "get");
  if (typeof get !== "function") throw new Error(`the client has no ${name}.get`);
  return Reflect.apply(get, resource, [{ userId: frame.user_id, startDate: "2026-01-01" }]);
}

describe.each(summaryNames)("$name", ({ name, listKey }) => {
  const kind = findSummaryKind(name)!;
  const { fields, links = {} } = acceptValidSummary(name, minimalSummaries[name]);
  const linked = Object.fromEntries(Object.keys(links).map((field) => [field, frame.id]));
  const wire = toWireSummary(kind, { ...fields, ...linked }, frame, source);

  test("contains every field of its schema, with absent fields as null or default", () => {
    expect(kind.wire.strict().parse(wire)).toEqual(wire);
    expect(Object.keys(wire).sort()).toEqual(Object.keys(kind.wire.shape).sort());
  });

  test("parses with the public client", async () => {
    const parsed = { id: frame.id, ...(name === "devices" ? {} : { updatedAt: new Date(frame.updated_at) }) };
    if (listKey === null || name === "devices") expect(await readBy(name, wire)).toMatchObject(parsed);
    else expect(await readBy(name, { [listKey]: [wire] })).toMatchObject({ [camelCase(listKey)]: [parsed] });
  });

  test.each([null, "text", []])("rejects %j", (raw) => {
    expect(acceptSummary(name, raw)).toHaveProperty("reason");
  });
});
