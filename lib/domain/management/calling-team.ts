import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import { RAW_PAYLOAD_FEATURE } from "../connections/raw-payloads/retention.ts";
import type { Team } from "./records.ts";

const flag = z.boolean();
const text = z.string().nullable();
const configuration = z.object({
  libreview: z.object({ practice_id: z.record(z.string(), z.unknown()) }),
  texts_enabled: flag,
  provider_raw_data: flag,
  reject_duplicate_connection: flag,
  sdk_per_device_activity_timeseries: flag,
  partial_webhooks_enabled: flag,
  minor_ordering_enabled: flag,
});

/** The calling team in its wire form, without keys and secrets. */
export const wireCallingTeam = z
  .object({
    id: z.guid(),
    org_id: z.guid(),
    name: z.string(),
    configuration,
    testkits_texts_enabled: flag,
    lab_tests_patient_communication_enabled: flag,
    lab_tests_patient_sms_communication_enabled: flag,
    lab_tests_patient_email_communication_enabled: flag,
    logo_url: text,
    delegated_flow: openEnum(["order_and_results_with_customer_physician_network"]),
    critical_result_notification_email: text,
  })
  .meta({ id: "CallingTeam" });

/**
 * Converts a team to its wire form. The team's own physicians order tests and read results; the service employs none.
 */
export function toCallingTeam({ team_id, org_id, name, settings, features }: Team): z.output<typeof wireCallingTeam> {
  const { lab_tests_patient_sms_communication_enabled: sms, lab_tests_patient_email_communication_enabled: email } =
    settings;
  return {
    ...{ id: team_id, org_id, name },
    configuration: {
      // Connections to LibreView are per user, not per practice.
      libreview: { practice_id: {} },
      texts_enabled: sms,
      provider_raw_data: features.includes(RAW_PAYLOAD_FEATURE),
      reject_duplicate_connection: settings.reject_duplicate_connection,
      sdk_per_device_activity_timeseries: settings.sdk_per_device_activity_timeseries,
      partial_webhooks_enabled: settings.partial_webhooks_enabled,
      minor_ordering_enabled: settings.minor_ordering_enabled,
    },
    testkits_texts_enabled: sms,
    lab_tests_patient_communication_enabled: sms || email,
    lab_tests_patient_sms_communication_enabled: sms,
    lab_tests_patient_email_communication_enabled: email,
    logo_url: settings.logo_url,
    delegated_flow: "order_and_results_with_customer_physician_network",
    critical_result_notification_email: settings.critical_result_notification_email,
  };
}
