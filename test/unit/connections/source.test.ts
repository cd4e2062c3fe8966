import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { openEnum } from "../../../lib/contract/open-enum.ts";
import { findProvider, providers } from "../../../lib/domain/connections/providers/providers.ts";
import { toWireSource, wireSource } from "../../../lib/domain/connections/sources/source.ts";
import { sourceTypes } from "../../../lib/domain/connections/sources/source-types.ts";

const CLIENT_TYPES = "node_modules/@junction-api/sdk/dist/cjs/api/types";

function clientValues(type: string): string[] {
  const source = readFileSync(`${CLIENT_TYPES}/${type}.d.ts`, "utf8");
  return [...source.matchAll(/readonly \w+: "([^"]+)"/g)].map((match) => match[1]!).sort();
}

const slugs = (authType?: string) =>
  providers.filter((provider) => authType === undefined || provider.authType === authType).map(({ slug }) => slug);

/** Providers that the public client does not list. */
const added = ["concept2", "suunto", "hammerhead_v2", "ride_with_gps", "tidepool", "intervals_icu"];
/** Providers that the public client lists without OAuth. */
const byOAuth = ["map_my_fitness"];

describe("the provider list", () => {
  test("contains the slugs of the public client and our own, each once", () => {
    expect(slugs().sort()).toEqual([...clientValues("Providers"), ...added].sort());
    expect(providers).toHaveLength(41 + added.length);
  });

  test("marks OAuth and password providers as the public client does, and those with an OAuth of their own", () => {
    expect(slugs("oauth").sort()).toEqual([...clientValues("OAuthProviders"), ...added, ...byOAuth].sort());
    expect(slugs("password").sort()).toEqual(clientValues("PasswordProviders"));
    expect(slugs("email")).toEqual(["freestyle_libre"]);
  });

  test("finds providers by slug", () => {
    expect(findProvider("eight_sleep")?.name).toBe("Eight Sleep");
    expect(findProvider("nobody")).toBeUndefined();
  });
});

describe("toWireSource", () => {
  test("completes a stored source", () => {
    expect(toWireSource({ provider: "fitbit", type: "watch", device_id: "d1" }, "https://api.example.com")).toEqual({
      provider: "fitbit",
      type: "watch",
      app_id: null,
      device_id: "d1",
      sport: null,
      workout_id: null,
      name: "Fitbit",
      slug: "fitbit",
      logo: "https://api.example.com/logos/fitbit.svg",
    });
  });

  test("shows an unknown provider by its slug, with an unknown type", () => {
    const source = toWireSource({ provider: "newcomer", type: "earring" }, "https://api.example.com");
    expect(source.name).toBe("newcomer");
    expect(wireSource.parse(source)).toEqual(source);
  });
});

test("an open enum accepts any string and documents the known ones", () => {
  const schema = openEnum(sourceTypes);
  expect(schema.parse("earring")).toBe("earring");
  expect(schema.safeParse(1).success).toBe(false);
  expect(z.toJSONSchema(schema)).toMatchObject({ type: "string", "x-known-values": expect.arrayContaining(["ring"]) });
});
