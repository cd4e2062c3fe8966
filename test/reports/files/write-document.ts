import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReportDocument } from "./report-document.ts";

const PDF = 0x25;
const PNG = 0x89;

function extension(file: Uint8Array): string {
  if (file[0] === PDF) return "pdf";
  return file[0] === PNG ? "png" : "jpg";
}

/** Writes a report's files, and its truth as JSON beside them. */
export function writeDocument({ name, files, truth }: ReportDocument, folder: string): void {
  mkdirSync(folder, { recursive: true });
  files.forEach((file, place) => {
    const number = files.length > 1 ? `-${place + 1}` : "";
    writeFileSync(join(folder, `${name}${number}.${extension(file)}`), file);
  });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(truth, null, 1)}\n`);
}
