import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import { RAW_PAYLOAD_FEATURE } from "../connections/raw-payloads/retention.ts";
import { destinationKinds, webhooksAlone } from "./destination-kinds.ts";
import type { Team } from "./records.ts";

const flag = z.boolean();
const text = z.string().nullable();
const destinationKind = openEnum(destinationKinds);
const configuration = z.object({
  libreview: z.object({ practice_id: z.record(z.string(), z.unknown()) }),
  texts_enabled: flag,
  push_historical_data: flag.describe("Whether historical data is also sent as daily events"),
  provider_raw_data: flag,
  reject_duplicate_connection: flag,
  sdk_per_device_activity_timeseries: flag,
  partial_webhooks_enabled: flag,
  minor_ordering_enabled: flag,
  eds_preferences: z
    .object({ preferred: destinationKind, enabled: z.array(destinationKind) })
    .describe("Kinds of destinations that receive the events of the team"),
  event_type_prefixes: z.array(z.string()).nullable().describe("The events that brokers receive; null for all events"),
});

/** The event destination of a team, as far as its configuration shows it. */
interface ShownDestination {
  readonly push_historical_data: boolean;
  readonly preferences: { readonly preferred: string; readonly enabled: readonly string[] };
  readonly event_type_prefixes: readonly string[] | null;
}

/** What a team without a destination has. */
const noDestination: ShownDestination = {
  push_historical_data: false,
  preferences: webhooksAlone,
  event_type_prefixes: null,
};

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
 * @param destination the brokers that it has set, if any.
 */
export function toCallingTeam(
  { team_id, org_id, name, settings, features }: Team,
  destination: ShownDestination = noDestination,
): z.output<typeof wireCallingTeam> {
  const { push_historical_data, preferences, event_type_prefixes } = destination;
  const { lab_tests_patient_sms_communication_enabled: sms, lab_tests_patient_email_communication_enabled: email } =
    settings;
  return {
    ...{ id: team_id, org_id, name },
    configuration: {
      // Connections to LibreView are per user, not per practice.
      libreview: { practice_id: {} },
      texts_enabled: sms,
      push_historical_data,
      provider_raw_data: features.includes(RAW_PAYLOAD_FEATURE),
      reject_duplicate_connection: settings.reject_duplicate_connection,
      sdk_per_device_activity_timeseries: settings.sdk_per_device_activity_timeseries,
      partial_webhooks_enabled: settings.partial_webhooks_enabled,
      minor_ordering_enabled: settings.minor_ordering_enabled,
      eds_preferences: { preferred: preferences.preferred, enabled: [...preferences.enabled] },
      event_type_prefixes: event_type_prefixes && [...event_type_prefixes],
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
