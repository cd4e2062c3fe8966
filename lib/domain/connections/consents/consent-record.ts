import * as z from "zod";
import { openEnum } from "../../../contract/open-enum.ts";
import type { Team } from "../../management/records.ts";
import type { Provider } from "../providers/providers.ts";
import { type ConsentNotice, consentNotice, dataNamesOf } from "./consent-notice.ts";

/** States of a consent: given, withdrawn by the user, or terminated by the team or a newer connection. */
export const consentStates = ["given", "withdrawn", "terminated"] as const;
/** Who gave or ended a consent. */
export const consentParties = ["user", "team"] as const;
/** Where the user agreed: on the link page, or on a page whose words the service does not know. */
const consentMethods = ["link_page", "other_page"] as const;

const party = z.object({
  party_id: z.string(),
  party_name: z.string(),
  party_role: z.string(),
  party_type: z.string(),
  party_address: z.string().nullable(),
  party_contact: z.string().nullable(),
});

const purpose = z.object({
  purpose: z.string().nullable().describe("In the words of the team; null if the team has set none"),
  lawful_basis: z.string(),
  pii_information: z.array(z.object({ pii_type: z.string(), special_pii_category: z.boolean() })),
  pii_controllers: z.array(z.string()).describe("`party_id` of each controller"),
  collection_method: openEnum(consentMethods),
  storage_locations: z.array(z.string()),
  retention_period: z.string().nullable(),
  jurisdiction: z.string().nullable(),
  recipient_third_parties: z.array(z.string()),
  withdrawal_method: z.string(),
});

const consentEvent = z.object({
  event_time: z.iso.datetime({ offset: true }),
  event_type: z.string().describe("`explicit`: the user acted to agree"),
  event_state: openEnum(consentStates),
  entity_id: z.string().describe("Id of the user or of the team that acted"),
});

/**
 * Record of a consent, with the field names of ISO/IEC TS 27560:2023 as the guide of the W3C community group on data
 * privacy vocabularies names them (https://w3id.org/dpv/guides/consent-27560). The last fields are additions.
 */
export const consentRecord = z
  .object({
    schema_version: z.string(),
    record_id: z.string(),
    pii_principal_id: z.string().describe("Id of the user"),
    pii_processing: z.object({
      privacy_notice: z.string().nullable().describe("Address of the team's privacy policy"),
      language: z.string().nullable().describe("Language of the words; null if the service showed none"),
      purposes: z.array(purpose),
    }),
    party_identification: z.array(party),
    events: z.array(consentEvent),
    provider: z.string(),
    scopes: z.object({
      shown: z.array(z.string()).describe("Scopes of the provider that the service requested"),
      granted: z.array(z.string()).describe("Scopes that the user granted at the provider"),
    }),
    notice: consentNotice.nullable().describe("The words that the user saw; null if the service showed none"),
    link_session_id: z.string().describe("Distinguishes links; no credential"),
  })
  .meta({ id: "ConsentRecord" });
export type ConsentRecord = z.output<typeof consentRecord>;
type ConsentState = (typeof consentStates)[number];

/** What a user agreed to. */
export interface GivenConsent {
  readonly consentId: string;
  readonly userId: string;
  readonly provider: Provider;
  readonly team: Team;
  readonly scopes: ConsentRecord["scopes"];
  readonly notice: ConsentNotice | null;
  readonly linkSessionId: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Creates the record of a consent that a user gives. */
export function newConsentRecord(given: GivenConsent): ConsentRecord {
  const { consentId, userId, notice, team, scopes, linkSessionId: link_session_id, at } = given;
  const policy = notice?.policy_url ?? team.settings.privacy_policy_url;
  return {
    schema_version: "ISO/IEC TS 27560:2023",
    record_id: consentId,
    pii_principal_id: userId,
    pii_processing: {
      privacy_notice: policy,
      language: notice?.language ?? null,
      purposes: [purposeOf(given)],
    },
    party_identification: [controllerOf(team)],
    events: [{ event_time: at, event_type: "explicit", event_state: "given", entity_id: userId }],
    provider: given.provider.slug,
    scopes,
    notice,
    link_session_id,
  };
}

function purposeOf({ provider, team, notice }: GivenConsent): z.output<typeof purpose> {
  return {
    purpose: notice ? notice.purpose : team.settings.consent_purpose,
    lawful_basis: "consent",
    pii_information: dataNamesOf(provider).map((pii_type) => ({ pii_type, special_pii_category: true })),
    pii_controllers: [team.team_id],
    collection_method: notice ? "link_page" : "other_page",
    storage_locations: [team.region],
    retention_period: null,
    jurisdiction: null,
    recipient_third_parties: [],
    withdrawal_method: "Ask the controller to disconnect the provider, or revoke the access at the provider",
  };
}

function controllerOf({ team_id, name, settings }: Team): z.output<typeof party> {
  const brand = settings.brand_information;
  return {
    party_id: team_id,
    party_name: brand?.company_name ?? name,
    party_role: "PII controller",
    party_type: "organisation",
    party_address: brand?.company_address || null,
    party_contact: brand?.support_email ?? brand?.support_contact ?? null,
  };
}

/** The end of a consent. */
export interface ConsentEnd {
  readonly state: Exclude<ConsentState, "given">;
  readonly by: (typeof consentParties)[number];
  /** ISO 8601. */
  readonly at: string;
}

/** Adds the end of a consent to its record. */
export function withConsentEnd(record: ConsentRecord, teamId: string, { state, by, at }: ConsentEnd): ConsentRecord {
  const entity_id = by === "user" ? record.pii_principal_id : teamId;
  const end = { event_time: at, event_type: "explicit", event_state: state, entity_id };
  return { ...record, events: [...record.events, end] };
}
