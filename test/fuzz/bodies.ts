import { damagedText, damagedValue, strangeBytes } from "./damage.ts";
import type { Draw } from "./draw.ts";
import { hostileText } from "./hostile.ts";
import type { Flaw } from "./requests.ts";
import type { SchemaValues } from "./schema-values.ts";
import type { Target } from "./world.ts";

const mediaTypes = [
  "application/json",
  "application/json; charset=utf-16",
  "text/plain",
  "",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=b",
  "multipart/form-data",
  "application/json, text/html",
  "image/png",
] as const;

/** Builds the body of a request with these flaws, and its media type. */
export function bodyOf(
  { contract }: Target,
  values: SchemaValues,
  draw: Draw,
  found: ReadonlySet<Flaw>,
): { body: Buffer; type: string } {
  const strangeType = found.has("headers") ? draw.of(mediaTypes) : undefined;
  const of = (body: Buffer, usual: string) => ({ body, type: strangeType ?? usual });
  if (found.has("bytes")) return of(strangeBytes(draw), "application/json");
  if (contract.form) return of(formOf(values.of(contract.form, draw), draw, found), "multipart/form-data; boundary=b");
  if (contract.mediaTypes) return of(reportOf(draw, found), draw.of(contract.mediaTypes) ?? "");
  if (contract.body === undefined) return of(Buffer.alloc(0), "application/json");
  const fit = values.of(contract.body, draw);
  const json = JSON.stringify(found.has("body") ? damagedValue(fit, draw) : fit) ?? "";
  return of(found.has("text") ? damagedText(json, draw) : Buffer.from(json), "application/json");
}

/** Builds an HL7 message with a result that matches no order. */
function reportOf(draw: Draw, found: ReadonlySet<Flaw>): Buffer {
  const report = [
    `MSH|^~\\&|LIS|LAB|TRIBUTARY||20260501080000+0000||ORU^R01^ORU_R01|C${draw.below(1e6)}|P|2.5.1`,
    "PID|1||P-1^^^LAB||Sample^Ada||19900517|F",
    "OBR|1||R-1|90546^General wellness^L|||20260501080000+0000|||||||||||||||20260501080000+0000|||F",
    "OBX|1|NM|2345-7^Glucose^LN||85|mg/dL|70-99||||F",
    "",
  ].join("\r");
  if (found.has("text")) return damagedText(report, draw);
  if (!found.has("body")) return Buffer.from(report);
  return Buffer.from(report.replaceAll(draw.of(["|", "^", "2026", "\r", "L"]), hostileText(draw)));
}

function formOf(fields: unknown, draw: Draw, found: ReadonlySet<Flaw>): Buffer {
  const part = (about: string, content: unknown) =>
    `--b\r\nContent-Disposition: form-data; ${about}\r\n\r\n${content}\r\n`;
  const parts = Object.entries((fields ?? {}) as object).map(([name, value]) => part(`name="${name}"`, value));
  const form = [...parts, part('name="file"; filename="r.pdf"', "%PDF-1.4"), "--b--\r\n"].join("");
  if (found.has("text")) return damagedText(form, draw);
  if (!found.has("body")) return Buffer.from(form);
  return Buffer.from(form.replace(draw.of(["--b--", "name=", "\r\n\r\n", "filename"]), hostileText(draw)));
}
