import { nameUuid } from "../crypto/name-uuid.ts";
import { type LabAccount, sandboxAccount } from "../domain/lab-tests/lab-account.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import { LabAccountStore } from "../store/lab-accounts.ts";
import type { Table } from "../store/table.ts";
import type { FirstOrg } from "./bootstrap.ts";

/** The accounts of a first organisation; a pending one beside an active one, since imports may name it. */
const accounts: readonly (readonly [lab: string, status: LabAccount["status"]])[] = [
  ["quest", "active"],
  ["labcorp", "active"],
  ["sonora_quest", "active"],
  ["sonora_quest", "pending"],
];

/** Writes the lab accounts that a sandbox begins with, for its first team. Writing them again changes nothing. */
export async function writeFirstLabAccounts(labs: Table, { org_id, team_id }: FirstOrg): Promise<void> {
  const store = new LabAccountStore(labs);
  for (const [lab, status] of accounts) {
    const id = nameUuid(`${org_id} ${lab} ${status}`);
    const account = sandboxAccount({ id, lab, status, org_id, team_id_allowlist: [team_id] });
    await store.create(org_id, account).catch((error) => {
      if (!(error instanceof ConditionFailed)) throw error;
    });
  }
}
