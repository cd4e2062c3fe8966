import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import { usStates } from "../places/us-states.ts";
import { labs } from "./labs.ts";

export const labAccountStatuses = ["active", "pending", "suspended", "ready_to_launch"] as const;
export const labAccountStatus = z.enum(labAccountStatuses);
/** Who sends orders to the laboratory and who gets its results, the service or the organisation. */
export const delegatedFlows = ["order_delegated", "result_delegated", "fully_delegated", "not_delegated"] as const;
/** How an order can be paid. */
export const billingTypes = [
  "client_bill",
  "commercial_insurance",
  "patient_bill_passthrough",
  "patient_bill",
] as const;

/** An account at a laboratory as stored. It belongs to an organisation, and the teams on its list may order under it. */
export const labAccountRecord = z.object({
  id: z.guid(),
  lab: z.string(),
  /** Null for an account of the platform, which no organisation owns. */
  org_id: z.guid().nullable(),
  status: labAccountStatus,
  delegated_flow: z.enum(delegatedFlows),
  /** The account number at the laboratory. */
  provider_account_id: z.string(),
  account_name: z.string().nullable(),
  default_clinical_notes: z.string().nullable(),
  business_units: z.array(z.string()).nullable(),
  /** Where each way of payment is allowed, as postal codes of states. */
  allowed_billing: z.record(z.string(), z.array(z.string())),
  team_id_allowlist: z.array(z.guid()),
});
export type LabAccount = z.output<typeof labAccountRecord>;

/** A lab account as answered: what is stored. */
export const wireLabAccount = labAccountRecord
  .extend({ status: openEnum(labAccountStatuses), delegated_flow: z.string() })
  .meta({ id: "LabAccount" });

/** One lab account as the management interface answers it. */
export const wireLabAccountAnswer = z.object({ lab_account: wireLabAccount }).meta({ id: "LabAccountAnswer" });

/** The account number that the sandbox knows everywhere. */
const SANDBOX_ACCOUNT = "1234567890";
const everywhere = Object.fromEntries(billingTypes.map((type) => [type, Object.keys(usStates)]));

/** The account of the platform at each laboratory, for teams that have none of their own there. */
export const platformAccounts: readonly LabAccount[] = labs.map(({ id, slug, name }) => ({
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
