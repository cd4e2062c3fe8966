import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

/** Words of the former dialect, each with its standard term. Names of exports and files use none of them. */
const stopList: Readonly<Record<string, string>> = {
  tell: "record, publish or send",
  tells: "record, publish or send",
  telling: "record, publish or send",
  told: "record, publish or send",
  ground: "context",
  waking: "dispatch",
  wake: "dispatch",
  wakes: "dispatches",
  woken: "dispatched",
  parked: "suspended or held",
  bury: "move to dead letters",
  burying: "moving to dead letters",
  buried: "dead-lettered",
  noted: "recorded",
  noting: "recording",
  strangers: "other tenants",
  stranger: "other tenant",
  asked: "requested",
  wanted: "requested",
  kept: "stored, retained or cached",
  chance: "random",
  beginning: "start",
  unwritten: "pending",
  placer: "requester",
  placers: "requesters",
  desk: "server or endpoint",
  desks: "servers or endpoints",
  soundly: "confident",
  glued: "joined",
  most: "max",
  fewest: "min",
  remembered: "cached",
};

const words = (name: string) =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase()
    .split(" ");
const sources = globSync("{bin,lib,functions,test,web}/**/*.{js,ts,tsx}").filter(
  (file) => file !== "test/conventions/language.test.ts",
);
const exportedNames = (file: string) =>
  [
    ...readFileSync(file, "utf8").matchAll(
      /^export (?:default )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm,
    ),
  ].map(([, name = ""]) => name);

/** Words that names within a function may use. */
const localWords = ["parked", "asked", "wanted", "kept", "beginning", "most"];

/** The operationId is the identity of a deployed function, so its file keeps the word. */
const identities = ["functions/ingest/tell-history.ts"];
/** This operationId, fields of providers, and the term for the time at which sleep ends. */
const identifiers = [
  "tellHistory",
  "lib/connectors/fitbit/map.ts: wake",
  "minutesAfterWakeUp",
  "WakeAfterSleepOnsetDuration",
  "WakeBeforeOffBedDuration",
  "Wake",
  "wakeMinute",
];

/** Code without comments and texts. A template literal remains, because it contains code. */
const codeOf = (file: string) =>
  readFileSync(file, "utf8").replaceAll(/(?<=^|\s)(?:\/\*.*?\*\/|\/\/.*?$)|"(?:\\.|[^"\\\n])*"/gms, "");

describe("the language of the code", () => {
  test("names nothing, also within a function, by a word of the stop list", () => {
    const refused = Object.keys(stopList).filter((word) => !localWords.includes(word));
    const found = sources.flatMap((file) =>
      [...new Set(codeOf(file).match(/[A-Za-z_]\w*/g))]
        .filter((name) => words(name).some((word) => refused.includes(word)) && !identifiers.includes(name))
        .map((name) => `${file}: ${name}`)
        .filter((place) => !identifiers.includes(place)),
    );
    expect(found).toEqual([]);
  });

  test("uses no word of the stop list in the name of an export", () => {
    const found = sources.flatMap((file) =>
      exportedNames(file)
        .filter((name) => words(name).some((word) => word in stopList) || /^[A-Z]\w*Uses$/.test(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(found).toEqual([]);
  });

  test("uses no word of the stop list in the name of a file", () => {
    const found = sources.filter(
      (file) => !identities.includes(file) && words(file.replaceAll(/[/.-]/g, " ")).some((word) => word in stopList),
    );
    expect(found).toEqual([]);
  });
});

describe("the glossary", () => {
  const rows = [...readFileSync("docs/glossary.md", "utf8").matchAll(/^\| (?!Term|---)(.+?) \| (.+?) \| (.+?) \|$/gm)];
  const terms = rows.flatMap(([, term = ""]) =>
    term.split(", ").map((one) => one.replaceAll(/ \(.*\)|`/g, "").toLowerCase()),
  );

  test("defines each term once, with one line and a source", () => {
    expect(rows.length).toBeGreaterThan(100);
    expect(terms.filter((term, at) => terms.indexOf(term) !== at)).toEqual([]);
    for (const [row, , meaning = "", source = ""] of rows) {
      expect(meaning, row).toMatch(/\.$/);
      expect(source.length, row).toBeGreaterThan(1);
    }
  });

  test("defines no word of the stop list", () => {
    expect(terms.filter((term) => term.split(/[ -]/).some((word) => word in stopList))).toEqual([]);
  });
});
