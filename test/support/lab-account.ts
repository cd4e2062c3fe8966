import { billingTypes, type LabAccount } from "../../lib/domain/lab-tests/lab-account.ts";
import { usStates } from "../../lib/domain/places/us-states.ts";

/** Creates a laboratory account that accepts every payment method everywhere. */
export function createLabAccount(
  of: Pick<LabAccount, "id" | "lab" | "status" | "org_id" | "team_id_allowlist">,
): LabAccount {
  return {
    ...of,
    delegated_flow: "not_delegated",
    provider_account_id: "1234567890",
    account_name: `Account (${of.status})`,
    default_clinical_notes: null,
    business_units: null,
    allowed_billing: Object.fromEntries(billingTypes.map((type) => [type, Object.keys(usStates)])),
  };
}
