import * as z from "zod";
import { supportedResources } from "../providers/provider-resources.ts";
import type { Provider } from "../providers/providers.ts";

/** Version of the words. It changes with every change of {@link composeNoticeText}. */
const NOTICE_VERSION = "2";

/** The words that a user sees before a connection, with what they name. */
export const consentNotice = z
  .object({
    version: z.string().describe("Version of the words of the service"),
    language: z.string().describe("Language of the words, BCP 47"),
    text: z.string().describe("The words. An empty line separates two paragraphs, and the first is the title"),
    sha256: z.string().describe("SHA-256 of `text` in UTF-8, in hex"),
    purpose: z.string().nullable().describe("Purpose, in the words of the team"),
    policy_url: z.string().nullable().describe("Privacy policy of the team"),
    scopes: z.array(z.string()).describe("Permissions that the service requests from the provider"),
  })
  .meta({ id: "ConsentNotice" });
export type ConsentNotice = z.output<typeof consentNotice>;

/** Digest of the words that a page has shown, in a request. */
export const shownNotice = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "A SHA-256 in hex")
  .nullish()
  .describe("`sha256` of the notice that your page has shown to the user, from `GET /v2/link/notice/{provider}`");

/** What the words of a notice name. */
export interface NoticeSubject {
  readonly provider: Provider;
  readonly teamName: string;
  readonly purpose: string | null;
  readonly policyUrl: string | null;
  /** Scopes that the service requests; empty for a provider without scopes. */
  readonly scopes: readonly string[];
}

/** Names of data that only people of the field understand, in the words of others. */
const PLAIN_NAMES: Readonly<Record<string, string>> = {
  body: "body measurements",
  calories_basal: "calories at rest",
  electrocardiogram_voltage: "electrocardiogram curves",
  heartrate: "heart rate",
  hrv: "heart rate variability",
  note: "notes",
  sleep_stream: "sleep curves",
  vo2_max: "maximal oxygen uptake",
  workout_stream: "workout curves",
};

/** Names of the data of a provider, as people read them. */
export const dataNamesOf = (provider: Provider): string[] =>
  supportedResources(provider)
    .filter((name) => name !== "connection")
    .map((name) => PLAIN_NAMES[name] ?? name.replaceAll("_", " "));

/** Composes the notice of a connection. @param digest returns the SHA-256 of a text, in hex. */
export function composeNotice(subject: NoticeSubject, digest: (text: string) => string): ConsentNotice {
  const { purpose, policyUrl: policy_url, scopes } = subject;
  const text = composeNoticeText(subject);
  const words = { version: NOTICE_VERSION, language: "en", text, sha256: digest(text) };
  return { ...words, purpose, policy_url, scopes: [...scopes] };
}

function composeNoticeText({ provider: { name, ...provider }, teamName, purpose, policyUrl }: NoticeSubject): string {
  const data = dataNamesOf({ name, ...provider }).join(", ");
  const paragraphs = [
    `Share your ${name} data with ${teamName}`,
    `${teamName} receives the data that ${name} has recorded about you${data === "" ? "" : `: ${data}`}.`,
    "This includes past and future data.",
    ...(purpose === null ? [] : [`Purpose: ${purpose}`]),
    `You can end this at any time: ask ${teamName} to disconnect ${name}.`,
    ...(policyUrl === null ? [] : [`Privacy policy of ${teamName}: ${policyUrl}`]),
  ];
  return paragraphs.join("\n\n");
}
