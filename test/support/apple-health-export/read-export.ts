import { readFile } from "node:fs/promises";
import { SaxesParser } from "saxes";
import type { TruthSample } from "./export-truth.ts";
import type { SourceKind } from "./record-sources.ts";

/** A parsed element: decoded attributes; depth 1 for the children of HealthData. */
type ReadElement = { name: string; depth: number; parent: string; attributes: Record<string, string> };

/** An export as read by a general XML parser, which shares no code with the generator. */
export type ReadExport = { doctype: string; elements: ReadElement[] };

/** Reads a whole export.xml into memory, for small files only. @throws if it is not well-formed. */
export async function readExport(path: string): Promise<ReadExport> {
  const read: ReadExport = { doctype: "", elements: [] };
  const open: string[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("doctype", (doctype) => {
    read.doctype = doctype;
  });
  parser.on("opentag", ({ name, attributes }) => {
    read.elements.push({ name, depth: open.length, parent: open.at(-1) ?? "", attributes });
    open.push(name);
  });
  parser.on("closetag", () => open.pop());
  parser.write(await readFile(path, "utf8")).close();
  return read;
}

/** The samples of the top-level records by type, in file order. */
export function readSamples({ elements }: ReadExport): Record<string, TruthSample[]> {
  const samples: Record<string, TruthSample[]> = {};
  for (const { name, depth, attributes } of elements) {
    if (name !== "Record" || depth !== 1) continue;
    const type = attributes.type!;
    samples[type] = [...(samples[type] ?? []), toTruthSample(attributes)];
  }
  return samples;
}

/** Converts a record's attributes to a sample. */
export function toTruthSample(attributes: Record<string, string>): TruthSample {
  const { startDate, endDate, value, unit } = attributes;
  const [, sign, hours, minutes] = startDate!.match(/ ([+-])(\d\d)(\d\d)$/)!;
  return {
    start: toMs(startDate!),
    end: toMs(endDate!),
    value: value ?? null,
    unit: unit ?? null,
    offsetS: Number(`${sign}1`) * (Number(hours) * 3600 + Number(minutes) * 60),
    source: sourceKindOf(attributes),
  };
}

function toMs(date: string): number {
  return Date.parse(date.replace(/^(\S+) (\S+) ([+-]\d\d)(\d\d)$/, "$1T$2$3:$4"));
}

function sourceKindOf({ device = "" }: Record<string, string>): SourceKind {
  if (device.includes("model:Watch")) return "watch";
  if (device.includes("model:iPhone")) return "phone";
  return device.includes("model:Scale") ? "scale" : "app";
}
