import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { reportFields } from "../../domain/lab-reports/report-form.ts";
import { MAX_UPLOAD_FILES } from "../../domain/lab-reports/report-job.ts";
import { type ErrorLocation, MalformedBody, ReportRefused, ValidationFailed } from "../../runtime/errors.ts";

/** A submitted report. */
export interface SubmittedReport {
  readonly user_id: string;
  readonly needs_human_review: boolean;
  readonly files: readonly Uint8Array[];
}

interface Form {
  readonly fields: Record<string, string>;
  readonly files: Buffer[];
}

/** Name of form parts to treat as files, whatever their content type. */
const FILE_FIELD = "file";
/** Limits of the form. The parser ignores unknown fields up to these limits. */
const LIMITS = { fields: 20, fieldSize: 10_000, parts: 40, headerPairs: 20 };

/** Parses the multipart form of a report. @throws MalformedBody, ValidationFailed, ReportRefused. */
export async function readReportForm(event: APIGatewayProxyEventV2): Promise<SubmittedReport> {
  const { fields, files } = await readForm(event);
  const parsed = reportFields.safeParse(fields);
  const issues = parsed.success ? [] : parsed.error.issues;
  const missing = { loc: ["body", FILE_FIELD], msg: "The form has no file", type: "missing" };
  const locations: ErrorLocation[] = [
    ...issues.map(({ path, message, code }) => ({ loc: ["body", ...path.map(String)], msg: message, type: code })),
    ...(files.length === 0 ? [missing] : []),
  ];
  if (!parsed.success || locations.length > 0) throw new ValidationFailed(locations);
  if (files.length > MAX_UPLOAD_FILES) throw new ReportRefused(`A report has at most ${MAX_UPLOAD_FILES} files.`);
  return { ...parsed.data, files };
}

async function readForm({ headers, body, isBase64Encoded }: APIGatewayProxyEventV2): Promise<Form> {
  const contentType = headers["content-type"] ?? "";
  if (!/^multipart\/form-data\s*;/i.test(contentType)) throw new MalformedBody("The body is not multipart/form-data.");
  const { default: parser } = await import("@fastify/busboy");
  const form: Form = { fields: {}, files: [] };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const open = () => {
    const isPartAFile = (name: string | undefined) => name === FILE_FIELD;
    const reader = parser.Busboy({ headers: { "content-type": contentType }, limits: LIMITS, isPartAFile });
    reader.on("field", (name, value) => (form.fields[name] = value));
    reader.on("file", (_, stream) => {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => form.files.push(Buffer.concat(parts)));
      stream.on("error", reject);
    });
    reader.on("partsLimit", () => reject(new Error("too many parts")));
    reader.on("error", reject);
    reader.on("finish", resolve);
    reader.end(Buffer.from(body ?? "", isBase64Encoded ? "base64" : "utf8"));
  };
  try {
    open();
    await promise;
  } catch (cause) {
    throw new MalformedBody("The form cannot be parsed.", { cause });
  }
  return form;
}
