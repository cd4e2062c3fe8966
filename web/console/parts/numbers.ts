import { findProvider } from "../../../lib/domain/connections/providers/providers.ts";

/** Units that the service names by a word or by a UCUM code, as people read them. */
const UNITS: Readonly<Record<string, string>> = {
  count: "",
  rmssd: "ms",
  index: "",
  stage: "",
  unit: "U",
  minutes: "min",
  "{ratio}": "",
  "10*3/uL": "10³/µL",
  "10*6/uL": "10⁶/µL",
  "m[IU]/L": "mIU/L",
  "mL/min/{1.73_m2}": "mL/min/1.73 m²",
};

/** Formats a number with at most three decimals: `11,006`, `5.329`. */
export const formatNumber = (value: number | null | undefined) =>
  value?.toLocaleString("en", { maximumFractionDigits: 3 }) ?? "–";

/** A unit for people: empty where a number needs none. */
export const shownUnit = (unit: string) => UNITS[unit] ?? unit;

/** Formats an estimate in US dollars: `$0.0012`, or `$12.30`. */
export const formatDollars = (value: number) =>
  `$${value.toLocaleString("en", value < 1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 2 })}`;

/** Formats a value with its unit: `5.3 mmol/L`. */
export function formatQuantity(value: number | null | undefined, unit = "", decimals = 1): string {
  if (value === null || value === undefined) return "–";
  const number = value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) >= 1_000 ? 0 : decimals });
  const shown = shownUnit(unit);
  if (shown === "") return number;
  return `${number}\u00a0${shown}`;
}

/** Names whose words are not those of the wire. */
const NAMES: Readonly<Record<string, string>> = {
  afib_burden: "AFib burden",
  console_reasons: "The console asks why people look at a user",
  heartrate: "Heart rate",
  hrv: "Heart rate variability",
  ige: "IgE",
  igg: "IgG",
  lab_tests_patient_email_communication_enabled: "Mails to patients of lab tests",
  lab_tests_patient_sms_communication_enabled: "Text messages to patients of lab tests",
  minor_ordering_enabled: "Orders for minors",
  partial_webhooks_enabled: "Events of partial results",
  psc_async_confirmation: "PSC: confirmation later",
  psc_cached_availability: "PSC: cached availability",
  psc_idempotency: "PSC: idempotency",
  psc_scheduling: "PSC: scheduling",
  reject_duplicate_connection: "An account of a provider belongs to one user",
  sdk_per_device_activity_timeseries: "Activity of each device from phones",
  uv_exposure: "UV exposure",
  vo2_max: "VO₂ max",
};

/** A name of the wire as words: `blood_oxygen` becomes `Blood oxygen`. */
export function humanize(name: string): string {
  const known = NAMES[name];
  if (known) return known;
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The name of a provider, as in the API. Other sources have the words of their slug. */
export const nameProvider = (slug: string): string => findProvider(slug)?.name ?? humanize(slug);
