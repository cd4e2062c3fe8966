import type { RequestFlaw } from "./build-request.ts";
import type { FuzzRandom } from "./fuzz-random.ts";
import type { FuzzTarget } from "./fuzz-world.ts";
import { drawHostileText } from "./hostile-values.ts";
import { drawInvalidBytes, mutateJsonText, mutateJsonValue } from "./json-mutations.ts";
import type { SchemaValues } from "./schema-values.ts";

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
export function buildBody(
  { contract }: FuzzTarget,
  values: SchemaValues,
  draw: FuzzRandom,
  found: ReadonlySet<RequestFlaw>,
): { body: Buffer; type: string } {
  const strangeType = found.has("headers") ? draw.pick(mediaTypes) : undefined;
  const of = (body: Buffer, usual: string) => ({ body, type: strangeType ?? usual });
  if (found.has("bytes")) return of(drawInvalidBytes(draw), "application/json");
  if (contract.form)
    return of(buildForm(values.generate(contract.form, draw), draw, found), "multipart/form-data; boundary=b");
  if (contract.mediaTypes) return of(buildHl7Report(draw, found), draw.pick(contract.mediaTypes) ?? "");
  if (contract.body === undefined) return of(Buffer.alloc(0), "application/json");
  const fit = values.generate(contract.body, draw);
  const json = JSON.stringify(found.has("body") ? mutateJsonValue(fit, draw) : fit) ?? "";
  return of(found.has("text") ? mutateJsonText(json, draw) : Buffer.from(json), "application/json");
}

/** Builds an HL7 message with a result that matches no order. */
function buildHl7Report(draw: FuzzRandom, found: ReadonlySet<RequestFlaw>): Buffer {
  const report = [
    `MSH|^~\\&|LIS|LAB|TRIBUTARY||20260501080000+0000||ORU^R01^ORU_R01|C${draw.integerBelow(1e6)}|P|2.5.1`,
    "PID|1||P-1^^^LAB||Sample^Ada||19900517|F",
    "OBR|1||R-1|90546^General wellness^L|||20260501080000+0000|||||||||||||||20260501080000+0000|||F",
    "OBX|1|NM|2345-7^Glucose^LN||85|mg/dL|70-99||||F",
    "",
  ].join("\r");
  if (found.has("text")) return mutateJsonText(report, draw);
  if (!found.has("body")) return Buffer.from(report);
  return Buffer.from(report.replaceAll(draw.pick(["|", "^", "2026", "\r", "L"]), drawHostileText(draw)));
}

function buildForm(fields: unknown, draw: FuzzRandom, found: ReadonlySet<RequestFlaw>): Buffer {
  const part = (about: string, content: unknown) =>
    `--b\r\nContent-Disposition: form-data; ${about}\r\n\r\n${content}\r\n`;
  const parts = Object.entries((fields ?? {}) as object).map(([name, value]) => part(`name="${name}"`, value));
  const form = [...parts, part('name="file"; filename="r.pdf"', "%PDF-1.4"), "--b--\r\n"].join("");
  if (found.has("text")) return mutateJsonText(form, draw);
  if (!found.has("body")) return Buffer.from(form);
  return Buffer.from(form.replace(draw.pick(["--b--", "name=", "\r\n\r\n", "filename"]), drawHostileText(draw)));
}
