import * as z from "zod";
import { wireAppointment } from "../../domain/appointments/wire-appointment.ts";
import { wireConsentChange } from "../../domain/connections/consents/consent.ts";
import { wireConnectionRecovered, wireConnectionStale } from "../../domain/connections/health/wire-staleness.ts";
import { wireConnectionCreated, wireConnectionError } from "../../domain/connections/wire-connection.ts";
import { wireParsingJob } from "../../domain/lab-reports/wire-parsing-job.ts";
import { wireCriticalResult, wireOrder } from "../../domain/orders/wire-order.ts";
import { wireResultTableChanges } from "../../domain/queries/continuous/wire-result-table-changes.ts";
import { wireMatchReview } from "../../domain/results/wire-match-review.ts";
import { devices } from "../../domain/summaries/devices.ts";
import type { EventType, NonDataEventType } from "./catalogue.ts";
import { dailyPayloads, historicalPayload } from "./data-payloads.ts";

/** The event and endpoint of a failed delivery, and the status of the last attempt (0 for no response). */
const exhaustedAttempt = z
  .object({ message_id: z.string(), endpoint_id: z.string(), last_status: z.int() })
  .meta({ id: "ExhaustedAttempt" });

const singlePayloads: Readonly<Record<NonDataEventType, z.ZodType>> = {
  "provider.connection.created": wireConnectionCreated,
  "provider.connection.error": wireConnectionError,
  "provider.connection.stale": wireConnectionStale,
  "provider.connection.recovered": wireConnectionRecovered,
  "provider.consent.given": wireConsentChange,
  "provider.consent.ended": wireConsentChange,
  "provider.device.created": devices.wire,
  "provider.device.updated": devices.wire,
  "labtest.order.created": wireOrder,
  "labtest.order.updated": wireOrder,
  "labtest.appointment.created": wireAppointment,
  "labtest.appointment.updated": wireAppointment,
  "labtest.result.critical": wireCriticalResult,
  "labtest.match_review.created": wireMatchReview,
  "labtest.match_review.updated": wireMatchReview,
  "lab_report.parsing_job.created": wireParsingJob,
  "lab_report.parsing_job.updated": wireParsingJob,
  "continuous_query.result_table.changed": z.array(wireResultTableChanges),
  "message.attempt.exhausted": exhaustedAttempt,
};

const payloads = new Map<EventType, z.ZodType>(Object.entries(singlePayloads) as [NonDataEventType, z.ZodType][]);
for (const [name, daily] of dailyPayloads) {
  payloads.set(`daily.data.${name}.created`, daily);
  payloads.set(`daily.data.${name}.updated`, daily);
  payloads.set(`historical.data.${name}.created`, historicalPayload);
}

/**
 * Returns the schema of `data` of an event type. Loading the schemas is expensive: code that only composes events does
 * not import this module.
 */
export function payloadSchemaOf(type: EventType): z.ZodType {
  return payloads.get(type)!;
}
