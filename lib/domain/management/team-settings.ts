import * as z from "zod";
import { RAW_PAYLOAD_DAYS } from "../connections/raw-payloads/retention.ts";
import { mergeModes } from "../queries/merge-mode.ts";
import { teamFeatures } from "./team-features.ts";

const email = z.email().max(254);
const webAddress = z.url({ protocol: /^https?$/ }).max(2_083);

/** Branding of a team on patient pages and in mails. */
const brandInformation = z.object({
  company_name: z.string().trim().min(1).max(200),
  company_website: z.string().max(2_083),
  support_email: email.nullable(),
  support_contact: z.string().max(200).nullable(),
  company_address: z.string().max(500),
  brand_color: z.string().max(50),
});
const emptyBrand = {
  company_name: "",
  company_website: "",
  support_email: null,
  support_contact: null,
  company_address: "",
  brand_color: "",
};

/** Flags with their defaults. */
const defaultFlags = {
  lab_tests_patient_sms_communication_enabled: true,
  lab_tests_patient_email_communication_enabled: true,
  reject_duplicate_connection: false,
  sdk_per_device_activity_timeseries: false,
  partial_webhooks_enabled: false,
  minor_ordering_enabled: false,
  patient_experience: false,
} as const;
type FlagName = keyof typeof defaultFlags;
const flagNames = Object.keys(defaultFlags) as FlagName[];
const eachFlag = <S extends z.ZodType>(schema: S) =>
  Object.fromEntries(flagNames.map((name) => [name, schema])) as Record<FlagName, S>;

const sourceMerge = z.enum(mergeModes).describe("How queries that name no rule merge sources");

const rawPayloadDays = z
  .int()
  .min(RAW_PAYLOAD_DAYS.min)
  .max(RAW_PAYLOAD_DAYS.max)
  .describe("Days for which the feature provider_raw_data keeps payloads of providers");

const consoleReasons = z.boolean().describe("Whether people in the console say why they look at a user");

/** Settings that have a default, which null leaves unchanged. Teams of earlier versions lack them. */
const defaultedSettings = {
  source_merge: sourceMerge,
  raw_payload_days: rawPayloadDays,
  console_reasons: consoleReasons,
};

const nonFlagSettings = z.object({
  critical_result_notification_email: email.nullable(),
  brand_information: brandInformation.nullable(),
  logo_url: webAddress.nullable(),
});

/** What the link page says before a connection. */
const consentSettings = {
  consent_purpose: z.string().trim().min(1).max(500).nullable().describe("Purpose that users read before a connection"),
  privacy_policy_url: webAddress.nullable().describe("Privacy policy that users can read before a connection"),
};

/** Settings of a team in the deployment's environment. */
export const teamSettings = nonFlagSettings
  .extend(eachFlag(z.boolean()))
  // Teams of earlier versions lack these.
  .extend({
    source_merge: sourceMerge.default("strict"),
    raw_payload_days: rawPayloadDays.default(RAW_PAYLOAD_DAYS.default),
    console_reasons: consoleReasons.default(false),
    consent_purpose: consentSettings.consent_purpose.default(null),
    privacy_policy_url: consentSettings.privacy_policy_url.default(null),
  });
export type TeamSettings = z.output<typeof teamSettings>;

/** Default settings of a team. */
export const defaultTeamSettings: TeamSettings = {
  ...defaultFlags,
  source_merge: "strict",
  raw_payload_days: RAW_PAYLOAD_DAYS.default,
  console_reasons: false,
  critical_result_notification_email: null,
  brand_information: null,
  logo_url: null,
  consent_purpose: null,
  privacy_policy_url: null,
};

/** Settings in their wire form, with the enabled features. A brand without a support address has no such field. */
export const wireTeamSettings = teamSettings
  .extend({
    brand_information: brandInformation
      .extend({ support_email: email.optional() })
      .meta({ id: "BrandInformation" })
      .nullable(),
    features: z.array(z.string()),
  })
  .meta({ id: "TeamEnvironment" });

/** Converts settings to their wire form. */
export function toWireTeamSettings(settings: TeamSettings, features: string[]): z.output<typeof wireTeamSettings> {
  const { brand_information: brand, ...rest } = settings;
  if (brand === null) return { ...rest, brand_information: null, features };
  const { support_email, ...about } = brand;
  const brand_information = { ...about, ...(support_email === null ? {} : { support_email }) };
  return { ...rest, brand_information, features };
}

/** Request body to change settings: null clears a text and leaves every other value unchanged. */
export const teamSettingsPatch = nonFlagSettings
  .extend({ brand_information: brandInformation.partial().nullable(), ...consentSettings })
  .partial()
  .extend(eachFlag(z.boolean().nullish()))
  .extend({
    source_merge: sourceMerge.nullish(),
    raw_payload_days: rawPayloadDays.nullish(),
    console_reasons: consoleReasons.nullish(),
    features: z
      .array(z.enum(teamFeatures))
      .max(teamFeatures.length)
      .nullish()
      .meta({ description: "Enabled opt-in and beta features; all others are disabled" }),
  });
export type TeamSettingsPatch = z.output<typeof teamSettingsPatch>;

/**
 * Applies a patch to settings.
 * @returns undefined if brand information would lose its company name.
 */
export function applySettingsPatch(before: TeamSettings, patch: TeamSettingsPatch): TeamSettings | undefined {
  const { brand_information, features: _, ...rest } = patch;
  const brand = applyBrandPatch(before.brand_information, brand_information);
  if (brand?.company_name === "") return undefined;
  const isSaid = ([name, value]: [string, unknown]) =>
    value !== undefined && !(value === null && (name in defaultFlags || name in defaultedSettings));
  return teamSettings.parse({
    ...before,
    ...Object.fromEntries(Object.entries(rest).filter(isSaid)),
    brand_information: brand,
  });
}

function applyBrandPatch(before: TeamSettings["brand_information"], patch: TeamSettingsPatch["brand_information"]) {
  if (!patch) return patch === null ? null : before;
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...emptyBrand, ...before, ...Object.fromEntries(given) };
}
