import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import * as z from "zod";
import { toOtlpRequest } from "../../domain/operations/otlp-spans.ts";
import { Misconfigured } from "../../runtime/errors.ts";
import { ports } from "../../runtime/ports.ts";
import { readSecretText } from "../../runtime/secret-text.ts";

const TIMEOUT_MS = 10_000;
/** Maximum bytes of unpacked log lines. CloudWatch sends at most 1 MB, compressed. */
const MAX_BYTES = 32 * 1_048_576;

/** Log events of one log group (CloudWatch Logs, "Subscription filters with Lambda"). */
export const logDelivery = z.object({ awslogs: z.object({ data: z.string() }) });

const logEvents = z.object({
  messageType: z.string(),
  logGroup: z.string(),
  logEvents: z.array(z.object({ message: z.string() })),
});

/** Headers of the receiver, usually its credential. */
const headerRecord = z.record(z.string(), z.string());

/**
 * Sends the spans among delivered log lines to the receiver of the deployment, by OTLP over HTTP.
 * @throws Error if the receiver does not accept them, so that Lambda repeats the delivery.
 */
export async function exportSpans({ awslogs }: z.output<typeof logDelivery>): Promise<{ readonly exported: boolean }> {
  const unpacked = await promisify(gunzip)(Buffer.from(awslogs.data, "base64"), { maxOutputLength: MAX_BYTES });
  const { messageType, logGroup, logEvents: events } = logEvents.parse(JSON.parse(unpacked.toString("utf8")));
  if (messageType !== "DATA_MESSAGE") return { exported: false };
  const serviceName = logGroup.split("/")[1] ?? "";
  const body = toOtlpRequest(
    serviceName,
    events.map(({ message }) => message),
  );
  if (!body) return { exported: false };
  await post(JSON.stringify(body));
  return { exported: true };
}

async function post(body: string): Promise<void> {
  const { OTLP_ENDPOINT: endpoint } = process.env;
  if (!endpoint) throw new Misconfigured("traceExport.endpoint");
  const headers = { "content-type": "application/json", ...(await readHeaders()) };
  const request = {
    method: "POST",
    headers,
    body,
    redirect: "error" as const,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  };
  const response = await ports().outbound(() => fetch(`${endpoint}/v1/traces`, request), "the receiver of traces");
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the receiver of traces answered ${response.status}`);
}

/** @throws Misconfigured unless the secret is a JSON object of texts. */
async function readHeaders(): Promise<Record<string, string>> {
  const arn = process.env.OTLP_HEADERS_SECRET;
  if (!arn) return {};
  try {
    return headerRecord.parse(JSON.parse((await readSecretText(arn)) ?? ""));
  } catch (cause) {
    throw new Misconfigured("traceExport.headersSecretArn", { cause });
  }
}
