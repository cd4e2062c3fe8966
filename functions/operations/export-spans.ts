import { consumer } from "../../lib/contract/consumer.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { exportSpans, logDelivery } from "../../lib/services/operations/export-spans.ts";

/** Sends the log lines of spans to a receiver of the operator. CloudWatch Logs delivers them after the request. */
export const contract = consumer({
  operationId: "exportSpans",
  tag: "operations",
  summary: "Export spans by OTLP",
  trigger: { kind: "setting", setting: "traceExport" },
  message: logDelivery,
  access: [],
});

export const handler = consume(contract, ({ message }) => exportSpans(message));
