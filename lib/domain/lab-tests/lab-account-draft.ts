import * as z from "zod";
import type { Environment } from "../management/records.ts";
import { usStates } from "../places/us-states.ts";
import { billingTypes, delegatedFlows, type LabAccount, labAccountStatus } from "./lab-account.ts";
import { knownLab } from "./labs.ts";

/** Maximum number of lab accounts of one organisation. */
export const MAX_LAB_ACCOUNTS_PER_ORG = 100;

const name = z.string().min(1).max(200).nullable();
const notes = z.string().max(1_000).nullable().describe("Printed on every requisition");
const units = z.array(z.string().min(1).max(100)).max(100).nullable();
const state = z.enum(Object.keys(usStates));
const billing = z
  .partialRecord(z.enum(billingTypes), z.array(state).max(Object.keys(usStates).length))
  .describe("By billing type, the states where the laboratory accepts it under this account");
const teams = z.array(z.guid().toLowerCase()).max(500).describe("Teams that may order under this account");

/** Request to create a lab account. */
export const labAccountDraft = z.object({
  lab: knownLab,
  provider_account_id: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9 ._/-]{0,49}$/, "1 to 50 letters, digits, spaces and . _ / -")
    .describe("Account number at the laboratory"),
  status: labAccountStatus
    .nullish()
    .describe("In production pending (the default) or suspended; in a sandbox any status, active by default"),
  delegated_flow: z.enum(delegatedFlows).default("not_delegated"),
  account_name: name.default(null),
  default_clinical_notes: notes.default(null),
  business_units: units.default(null),
  allowed_billing: billing.default({ client_bill: Object.keys(usStates) }),
  team_id_allowlist: teams.default([]),
});
export type LabAccountDraft = z.output<typeof labAccountDraft>;

/** Changes to a lab account. An absent field stays unchanged, as does a null in a field that is not nullable. */
const patch = z.object({
  status: labAccountStatus.nullish(),
  account_name: name.optional(),
  default_clinical_notes: notes.optional(),
  business_units: units.optional(),
  allowed_billing: billing.nullish(),
  team_id_allowlist: teams.nullish(),
});
export const labAccountPatch = patch.refine(
  (said) => Object.keys(labAccountChanges(said)).length > 0,
  "Give at least one field to change",
);

/** Creates a lab account. @param environment environment of the deployment. */
export function newLabAccount(
  of: Pick<LabAccount, "id" | "org_id">,
  draft: LabAccountDraft,
  environment: Environment,
): LabAccount {
  const first = environment === "sandbox" ? "active" : "pending";
  return { ...draft, ...of, status: draft.status ?? first, team_id_allowlist: [...new Set(draft.team_id_allowlist)] };
}

/** Extracts the fields that a patch changes. */
export function labAccountChanges(said: z.output<typeof patch>): Partial<LabAccount> {
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
 * Whether an organisation may set this status on its own account. In production only the operator of the deployment
 * activates an account, after the laboratory has confirmed the account number.
 */
export const canOrgSetStatus = (status: string, environment: Environment): boolean =>
  environment === "sandbox" || status === "pending" || status === "suspended";
