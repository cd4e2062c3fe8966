import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (file: string) => readFileSync(file, "utf8");

/** The custom properties of a rule, by name. */
const propertiesOf = (rule: string) =>
  new Map(Array.from(rule.matchAll(/(--[\w-]+): ([^;]+);/g), ([, name, value]) => [name, value]));

test("the pages of links and the console have the same colours, in light and in dark", () => {
  const [light = "", dark = ""] = read("web/page.css").split("@media");
  const [lights, darks] = [propertiesOf(light), propertiesOf(dark)];
  const own = propertiesOf(read("web/console/styles/tokens.css"));
  expect(darks.size).toBeGreaterThan(10);
  for (const [name, value] of lights)
    expect([name, own.get(name)]).toEqual([name, darks.has(name) ? `light-dark(${value}, ${darks.get(name)})` : value]);
});
