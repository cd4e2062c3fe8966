import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { type Element, readElements } from "../../../../../lib/connectors/imports/apple-health/element.ts";
import { readHealthDataText } from "../../../../../lib/connectors/imports/apple-health/health-data-text.ts";
import { sourceName } from "../../../../../lib/connectors/imports/apple-health/record-source.ts";
import { InputError } from "../../../../../lib/connectors/imports/reading/input-error.ts";

/** Declarations with known iOS errors: a missing end, an attribute outside any list, a duplicate declaration. */
const BROKEN_DTD = `<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 14 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
<!ATTLIST Eye
  sphere CDATA #IMPLIED
<!ELEMENT Eye EMPTY>
  device           CDATA #IMPLIED
>
<!ATTLIST HealthData locale CDATA #REQUIRED>
<!ELEMENT Me EMPTY "it's
]>
`;

const record = (value: string, children = "") => `<Record type="T" value="${value}">${children}</Record>`;
const document = (content: string, dtd = BROKEN_DTD) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${dtd}<HealthData locale="de_DE">\n${content}\n</HealthData>\n`;

async function* inParts(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function read(text: string, size = 65_536): Promise<Element[]> {
  return (await Array.fromAsync(readElements(readHealthDataText(inParts(text, size))))).flat();
}

/** Bytes in use after a garbage collection. */
function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

describe("readElements", () => {
  test("yields each element below the root with all its content", async () => {
    const entry = '<MetadataEntry key="HKWasUserEntered" value="1"/>';
    const elements = await read(document(`<Me/>${record("1", entry)}${record("2")}`));
    expect(elements.map(({ name, attributes }) => [name, attributes.value])).toEqual([
      ["Me", undefined],
      ["Record", "1"],
      ["Record", "2"],
    ]);
    expect(elements[1]?.children).toEqual([
      { name: "MetadataEntry", attributes: { key: "HKWasUserEntered", value: "1" }, children: [] },
    ]);
  });

  test("yields the same elements for any split of the bytes", async () => {
    const text = document(`<Record sourceName="Zoë’s Apple\u00a0Watch" value="37&#176;"/>`);
    const whole = await read(text);
    for (const size of [1, 2, 3, 7]) expect(await read(text, size)).toEqual(whole);
    expect(whole[0] && sourceName(whole[0])).toBe("Zoë’s Apple Watch");
    expect(whole[0]?.attributes.value).toBe("37°");
  });

  test("resolves XML entities in attributes", async () => {
    const [element] = await read(document('<Record device="&lt;&lt;HKDevice&gt;, name:A &amp; &quot;B&apos;"/>'));
    expect(element?.attributes.device).toBe("<<HKDevice>, name:A & \"B'");
  });

  test("reads a document without a DTD", async () => {
    expect(await read(document(record("1"), ""))).toHaveLength(1);
  });

  test.each([
    ["other XML", '<?xml version="1.0"?><ClinicalDocument/>', "not an Apple Health export"],
    ["no content", "", "not an Apple Health export"],
    ["an endless text", "x".repeat(300_000), "not an Apple Health export"],
    ["a truncated export", document(record("1")).slice(0, -15), "incomplete"],
    ["an export truncated inside an element", document(record("1")).slice(0, -25), "incomplete"],
    ["mismatched tags", document("<Record></Recrd>"), "damaged"],
  ])("rejects %s", async (_, text, message) => {
    await expect(read(text)).rejects.toThrow(InputError);
    await expect(read(text)).rejects.toThrow(message);
  });

  test("uses constant memory for longer exports", { tags: "deep" }, async () => {
    const block = Buffer.from(record("1", '<MetadataEntry key="k" value="v"/>').repeat(2_000));
    async function* export_(blocks: number): AsyncGenerator<Uint8Array> {
      yield Buffer.from('<HealthData locale="x">');
      for (let index = 0; index < blocks; index++) yield block;
      yield Buffer.from("</HealthData>");
    }
    let elements = 0;
    let highest = 0;
    const before = heldBytes();
    for await (const part of readElements(readHealthDataText(export_(250)))) {
      const looks = Math.floor(elements / 50_000);
      elements += part.length;
      if (Math.floor(elements / 50_000) > looks) highest = Math.max(highest, heldBytes());
    }
    expect(elements).toBe(500_000);
    // Retaining half a million elements would take about 250 MB.
    expect(highest - before).toBeLessThan(100 * 1_048_576);
  });
});
