import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import { connectorSlugs, findConnector } from "../../../lib/connectors/connectors.ts";
import { classifyBlock, listFences } from "../../local/guides/read-guide.ts";

const guides = globSync("docs/guides/*.md");

describe("guides", () => {
  test.each(guides)("%s has only blocks that a test runs or writes to a file", (guide) => {
    const fences = listFences(readFileSync(guide, "utf8"));
    expect(fences.length).toBeGreaterThan(0);
    expect(fences.filter(({ info }) => classifyBlock(info) === undefined).map(({ info }) => info)).toEqual([]);
  });

  test("are all in the index", () => {
    const index = readFileSync("docs/README.md", "utf8");
    expect(guides.filter((guide) => !index.includes(`guides/${basename(guide)}`))).toEqual([]);
  });

  test("an unknown block is noticed", () => {
    expect(classifyBlock("python")).toBeUndefined();
  });
});

describe("the guide to connect a provider", () => {
  const page = readFileSync("docs/guides/connect-a-provider.md", "utf8");
  const rows = page
    .split("\n")
    .filter((line) => /^\| `\w+` \|(?:[^|]+\|){3}$/.test(line))
    .map((line) => line.split("|"));
  const statedScopes = new Map(rows.map(([, slug = "", , scopes = ""]) => [slug.replaceAll(/[` ]/g, ""), scopes]));

  test("has a row for every provider", () => {
    expect([...statedScopes.keys()].toSorted()).toEqual(connectorSlugs.toSorted());
  });

  test.each(connectorSlugs.filter((slug) => slug !== "google_health"))("states the scopes of %s", async (slug) => {
    const named = [...(statedScopes.get(slug) ?? "").matchAll(/`([^`]+)`/g)].map(([, scope]) => scope);
    expect(named).toEqual((await findConnector(slug))?.oauth.scopes);
  });
});
