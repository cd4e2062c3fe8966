import * as z from "zod";
import type { Environment } from "../identity.ts";
import { usStates } from "../places/us-states.ts";
import { billingTypes, delegatedFlows, type LabAccount, labAccountStatus } from "./lab-account.ts";
import { knownLab } from "./labs.ts";

/** Accounts that an organisation may have. */
export const MOST_ACCOUNTS = 100;

const name = z.string().min(1).max(200).nullable();
const notes = z.string().max(1_000).nullable().describe("Stands on every requisition");
const units = z.array(z.string().min(1).max(100)).max(100).nullable();
const state = z.enum(Object.keys(usStates));
const billing = z
  .partialRecord(z.enum(billingTypes), z.array(state).max(Object.keys(usStates).length))
  .describe("By way of payment, the states where the laboratory takes it under this account");
const teams = z.array(z.guid().toLowerCase()).max(500).describe("Teams that may order under it");

/** An account at a laboratory as its organisation writes it down. */
export const labAccountDraft = z.object({
  lab: knownLab,
  provider_account_id: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9 ._/-]{0,49}$/, "1 to 50 letters, digits, spaces and . _ / -")
    .describe("The account number that the laboratory has given"),
  status: labAccountStatus
    .nullish()
    .describe("In production pending, which is also the default there; else active by default"),
  delegated_flow: z.enum(delegatedFlows).default("not_delegated"),
  account_name: name.default(null),
  default_clinical_notes: notes.default(null),
  business_units: units.default(null),
  allowed_billing: billing.default({ client_bill: Object.keys(usStates) }),
  team_id_allowlist: teams.default([]),
});
export type LabAccountDraft = z.output<typeof labAccountDraft>;

/** What is changed of an account; what is left out, or null where it can not be null, stays as it is. */
const patch = z.object({
  status: labAccountStatus.nullish(),
  account_name: name.optional(),
  default_clinical_notes: notes.optional(),
  business_units: units.optional(),
  allowed_billing: billing.nullish(),
  team_id_allowlist: teams.nullish(),
});
export const labAccountPatch = patch.refine(
  (said) => Object.keys(changesOf(said)).length > 0,
  "Names nothing to change",
);

/** A new account. @param environment of the deployment. */
export function newLabAccount(
  of: Pick<LabAccount, "id" | "org_id">,
  draft: LabAccountDraft,
  environment: Environment,
): LabAccount {
  const first = environment === "sandbox" ? "active" : "pending";
  return { ...draft, ...of, status: draft.status ?? first, team_id_allowlist: [...new Set(draft.team_id_allowlist)] };
}

/** The fields of an account that a patch changes. */
export function changesOf(said: z.output<typeof patch>): Partial<LabAccount> {
  const { status, account_name, default_clinical_notes, business_units, allowed_billing, team_id_allowlist } = said;
  return {
    ...(status ? { status } : {}),
    ...(account_name === undefined ? {} : { account_name }),
    ...(default_clinical_notes === undefined ? {} : { default_clinical_notes }),
    ...(business_units === undefined ? {} : { business_units }),
    ...(allowed_billing ? { allowed_billing } : {}),
    ...(team_id_allowlist ? { team_id_allowlist: [...new Set(team_id_allowlist)] } : {}),
  };
}

/**
 * Whether an organisation may give an account of its own this status. In production an account is active once the
 * laboratory has confirmed that the number is theirs, and whoever runs the deployment says so.
 */
export const isOwnStatus = (status: string, environment: Environment): boolean =>
  environment === "sandbox" || status === "pending" || status === "suspended";
