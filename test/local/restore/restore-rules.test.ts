import { describe, expect, test } from "vitest";
import { credentialsKey, webhookSecretsKey } from "../../../lib/contract/resources.ts";
import { advanceSequence, SEQUENCE_GAP } from "../../../lib/start/restore/advance-sequence.ts";
import { ItemDigest } from "../../../lib/start/restore/item-digest.ts";
import { planItem, separateActivation } from "../../../lib/start/restore/item-plan.ts";
import { chooseVersions } from "../../../lib/start/restore/list-objects.ts";
import { listSealedFields } from "../../../lib/start/restore/sealed-fields.ts";

const TEAM = "7d9a6d0e-0000-4000-8000-000000000001";
const USER = "7d9a6d0e-0000-4000-8000-000000000002";

describe("the plan of an item", () => {
  test("keeps keys and sessions of callers until the end, and leaves out one-time tokens and the lake", () => {
    const plans = ["user#t", "key#abc", "session#t#u", "access#due#t", "access#t#d#0", "link_token#h", "lake#t"];
    expect(plans.map((pk) => planItem({ pk, sk: "x" }))).toEqual([
      ...["data", "late", "late", "late", "data", "never", "never"],
    ]);
  });

  test("takes the attributes that start work out of an item", () => {
    const item = { pk: "event#t", sk: "e", unsent_shard: "unsent#1", due_shard: "due#1", due_at: "2026", body: "b" };
    expect(separateActivation(item)).toEqual({
      inactive: { pk: "event#t", sk: "e", due_at: "2026", body: "b" },
      activation: { unsent_shard: "unsent#1", due_shard: "due#1" },
    });
  });
});

test("the sequence of a feed leaves out what receivers may know", () => {
  const tail = { pk: `feed#last#${TEAM}`, sk: "last", last: 7, end: 7, revision: 3, entries: [] };
  expect(advanceSequence(tail)).toEqual({ ...tail, last: 7 + SEQUENCE_GAP, revision: 4 });
  expect(advanceSequence({ pk: `feed#last#${TEAM}`, sk: "last", last: 2 })).toMatchObject({ end: 2, revision: 1 });
  const page = { pk: `feed#${TEAM}`, sk: "0000000000000007", last: 7 };
  expect(advanceSequence(page)).toBe(page);
});

test("the secrets of items cover every purpose of both keys, except for logins that wait for a code", () => {
  const of = { team_id: TEAM, user_id: USER, provider: "oura", source: "oura", endpoint_id: "e", sealed: "s" };
  const items = [
    { ...of, pk: `endpoint#${TEAM}`, sealed_secret: "s", headers: "h", previous_secret: { sealed_secret: "p" } },
    { ...of, pk: `destination#${TEAM}`, sealed: { azure_amqp: "s" } },
    ...["custom_credentials", "consent_key", "console_provider"].map((prefix) => ({ ...of, pk: `${prefix}#${TEAM}` })),
    ...["connection", "bulk_step"].map((prefix) => ({ ...of, pk: `${prefix}#${TEAM}#${USER}` })),
  ];
  const fields = items.flatMap((item) => listSealedFields({ ...item, sk: "x" }));
  const purposes = [...credentialsKey.purposes, ...webhookSecretsKey.purposes].filter(
    (one) => one !== "provider_login",
  );
  expect(new Set(fields.map(({ context }) => context.purpose))).toEqual(new Set(purposes));
  expect(fields.filter(({ context }) => context.team_id !== TEAM)).toEqual([]);
  expect(fields).toHaveLength(items.length + 2);
});

test("an object has the version of the instant, unless it was deleted or did not exist", () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 8, minute));
  const versions = [
    { Key: "replaced", VersionId: "2", LastModified: at(20) },
    { Key: "replaced", VersionId: "1", LastModified: at(1) },
    { Key: "deleted later", VersionId: "1", LastModified: at(1) },
    { Key: "deleted later", LastModified: at(20), isDeletion: true },
    { Key: "deleted before", VersionId: "1", LastModified: at(1) },
    { Key: "deleted before", LastModified: at(5), isDeletion: true },
    { Key: "new", VersionId: "1", LastModified: at(20) },
  ];
  expect(chooseVersions(versions, at(10).getTime())).toEqual([
    { key: "replaced", versionId: "1" },
    { key: "deleted later", versionId: "1" },
  ]);
});

test("a digest of items depends on each attribute, but not on any order", () => {
  const digest = (...items: object[]) => {
    const made = new ItemDigest();
    for (const item of items) made.add({ ...item });
    return String(made);
  };
  const [a, b] = [
    { pk: "a", set: new Set(["x", "y"]), bytes: Uint8Array.of(1) },
    { pk: "b", n: 1 },
  ];
  expect(digest(a, b)).toBe(digest({ n: 1, pk: "b" }, { ...a, set: new Set(["y", "x"]) }));
  expect(digest(a, b)).not.toBe(digest(a, { ...b, n: 2 }));
  expect(digest(a, b)).not.toBe(digest(a));
  expect(digest({ ...a, bytes: Uint8Array.of(2) })).not.toBe(digest(a));
});
