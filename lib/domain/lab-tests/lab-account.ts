import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import { isOneOfFiftyStates, usStates } from "../places/us-states.ts";
import { entriesByName } from "../shared/entries-by-name.ts";
import { labs } from "./labs.ts";

export const labAccountStatuses = ["active", "pending", "suspended", "ready_to_launch"] as const;
export const labAccountStatus = z.enum(labAccountStatuses);
/** Whether the service or the organisation sends orders to the laboratory and receives its results. */
export const delegatedFlows = ["order_delegated", "result_delegated", "fully_delegated", "not_delegated"] as const;
/** Billing types of an order. */
export const billingTypes = [
  "client_bill",
  "commercial_insurance",
  "patient_bill_passthrough",
  "patient_bill",
] as const;
export type BillingType = (typeof billingTypes)[number];

/** Stored lab account. It belongs to an organisation; the teams on its allowlist may order under it. */
export const labAccountRecord = z.object({
  id: z.guid(),
  lab: z.string(),
  /** Null for a platform account. */
  org_id: z.guid().nullable(),
  status: labAccountStatus,
  delegated_flow: z.enum(delegatedFlows),
  /** Account number at the laboratory. */
  provider_account_id: z.string(),
  account_name: z.string().nullable(),
  default_clinical_notes: z.string().nullable(),
  business_units: z.array(z.string()).nullable(),
  /** Two-letter codes of the states where each billing type is allowed. */
  allowed_billing: z.record(z.string(), z.array(z.string())),
  team_id_allowlist: z.array(z.guid()),
});
export type LabAccount = z.output<typeof labAccountRecord>;

/** Lab account, as returned. */
export const wireLabAccount = labAccountRecord
  .extend({
    status: openEnum(labAccountStatuses),
    delegated_flow: z.string(),
    allowed_billing: labAccountRecord.shape.allowed_billing.describe(
      "By billing type, those of the 50 states where the laboratory accepts it under this account. It lists no other " +
        "places, such as DC and PR, where the account may allow the type too",
    ),
  })
  .meta({ id: "LabAccount" });

/** Converts a lab account to its wire form, with its billing types in one order: a stored map has none. */
export function toWireLabAccount(account: LabAccount): z.output<typeof wireLabAccount> {
  const inStates = entriesByName(account.allowed_billing).map(([type, codes]) => [
    type,
    codes.filter(isOneOfFiftyStates),
  ]);
  return { ...account, allowed_billing: Object.fromEntries(inStates) };
}

/** Lab account response of the management API. */
export const wireLabAccountAnswer = z.object({ lab_account: wireLabAccount }).meta({ id: "LabAccountAnswer" });

/** Account number that is valid at every laboratory of the sandbox. */
const SANDBOX_ACCOUNT = "1234567890";
const everywhere = Object.fromEntries(billingTypes.map((type) => [type, Object.keys(usStates)]));

/** Platform account at each laboratory, for teams without an account of their own there. */
export const platformLabAccounts: readonly LabAccount[] = labs.map(({ id, slug, name }) => ({
  id: `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`,
  lab: slug,
  org_id: null,
  status: "active",
  delegated_flow: "not_delegated",
  provider_account_id: SANDBOX_ACCOUNT,
  account_name: `Platform account at ${name}`,
  default_clinical_notes: null,
  business_units: null,
  allowed_billing: everywhere,
  team_id_allowlist: [],
}));
