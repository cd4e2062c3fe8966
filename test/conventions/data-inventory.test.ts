import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { contract as eraseUser } from "../../functions/deletion/erase-user.ts";
import type { Disposal, InventoryEntry } from "../../lib/contract/erasure/data-inventory.ts";
import { itemInventory } from "../../lib/contract/erasure/item-inventory.ts";
import { changeStreamEntry, resourceInventory } from "../../lib/contract/erasure/resource-inventory.ts";
import type { EntityResource } from "../../lib/contract/resource-kinds.ts";
import * as resources from "../../lib/contract/resources.ts";
import { userBuckets } from "../../lib/contract/user-partitions.ts";
import { listOrderPartitions, listUserPartitions } from "../../lib/store/erasure/entity-partitions.ts";

const isEntity = (one: unknown): one is EntityResource => (one as { kind?: string })?.kind === "entity";
const declared: readonly unknown[] = Object.values(resources);
const entities = declared.filter(isEntity);
const erased = entities.filter(({ store }) => itemInventory[store]?.disposal.kind === "erased");

describe("the data inventory", () => {
  test("contains every entity and no other", () => {
    expect(Object.keys(itemInventory).toSorted()).toEqual([...new Set(entities.map(({ store }) => store))].toSorted());
  });

  test("agrees with the declarations on which items hold user data", () => {
    const withoutUserData = ({ store }: EntityResource) => itemInventory[store]?.disposal.kind === "nothing";
    expect(entities.filter((one) => withoutUserData(one) !== (one.holdsUserData === false))).toEqual([]);
  });

  test("marks as erased only entities that the erasure deletes or changes", () => {
    const touched = new Set(
      eraseUser.access.flatMap(({ resource, action }) =>
        resource.kind === "entity" && /Delete|Write|Update/.test(action) ? [resource.keyPrefix] : [],
      ),
    );
    expect(erased.filter(({ keyPrefix }) => !touched.has(keyPrefix))).toEqual([]);
    const writes = entities.filter(({ keyPrefix }) => touched.has(keyPrefix)).map(({ store }) => store);
    expect(writes.filter((store) => !["erased", "stays"].includes(itemInventory[store]?.disposal.kind ?? ""))).toEqual(
      [],
    );
  });

  test("has a leftover scan for erased entities, except those found by other entities", () => {
    const owner = { team_id: "t", user_id: "u" };
    const seen = new Set(
      [...listUserPartitions(owner), ...listOrderPartitions(owner, ["o"])].map(({ entity }) => entity.store),
    );
    // The write of the certificate deletes the record. The erasure finds the gauge by its key, a feed page by its
    // events, and a slot by its appointment.
    const others = ["users", "usage", "eventFeed", "slots"];
    const unseen = [...new Set(erased.map(({ store }) => store))].filter((store) => !seen.has(store));
    expect(unseen.toSorted()).toEqual(others.toSorted());
  });

  test("empties every bucket with user data", () => {
    const buckets = resourceInventory.filter(
      ({ type, disposal }) => type === "AWS::S3::Bucket" && disposal.kind === "erased",
    );
    expect(buckets.map(({ name }) => name).toSorted()).toEqual(
      userBuckets.map(({ name }) => `bucket \`${name}\``).toSorted(),
    );
    expect(userBuckets.map(({ name }) => name).toSorted()).toEqual(
      // A file of the lake holds many users. A step of its own rewrites the files.
      resources.buckets.flatMap(({ name }) => (name === resources.lake.name ? [] : name)).toSorted(),
    );
  });
});

function inWords(leaving: Disposal): string {
  switch (leaving.kind) {
    case "erased":
      return "erased";
    case "released":
      return `taken out by \`${leaving.releasedBy}\``;
    case "expires":
      return `after ${leaving.days} ${leaving.days === 1 ? "day" : "days"}`;
    case "stays":
      return `stays: ${leaving.reason}`;
    case "nothing":
      return "nothing of a user";
  }
}

const row = (name: string, { contents, disposal }: InventoryEntry) =>
  `| ${name} | ${contents} | ${inWords(disposal)} |`;

test("docs/erasure.md lists every entry of the inventory", () => {
  const items = entities
    .map(({ store, table, keyPrefix }) => row(`${table.name} \`${keyPrefix}\``, itemInventory[store]!))
    .toSorted();
  const places = resourceInventory.map((place) => row(place.name, place));
  const rows = [...items, ...places, row("change stream of `events`", changeStreamEntry)];
  const page = readFileSync("docs/erasure.md", "utf8");
  const found = page.split("\n").filter((line) => /^\| .* \| .* \| (erased|taken|after|stays|nothing)/.test(line));
  expect(found).toEqual(rows);
});
