import { canOrgSetStatus, type LabAccountDraft } from "../../domain/lab-tests/lab-account-draft.ts";
import type { KeyRecord } from "../../domain/management/records.ts";
import { nameUuid } from "../../domain/shared/name-uuid.ts";
import { requireTeam } from "../../runtime/callers/management-access.ts";
import { deployment } from "../../runtime/deployment.ts";
import { Forbidden } from "../../runtime/errors.ts";
import type { TeamStore } from "../../store/management/teams.ts";

/** Fields of a lab account that an organisation sets. */
interface LabAccountInput {
  readonly status?: string | null | undefined;
  readonly team_id_allowlist?: readonly string[] | null | undefined;
}

/**
 * Checks the input of an organisation for a lab account of its own.
 * @throws Forbidden for a status that the organisation may not set; NotFound for a team that the key cannot reach.
 */
export async function checkLabAccountInput(
  teams: TeamStore,
  key: KeyRecord,
  orgId: string,
  said: LabAccountInput,
): Promise<void> {
  if (said.status && !canOrgSetStatus(said.status, deployment().environment)) {
    throw new Forbidden("In production only the operator of the deployment sets this status, once the lab agrees.");
  }
  await Promise.all([...new Set(said.team_id_allowlist)].map((id) => requireTeam(teams, key, orgId, id)));
}

/** Derives the id of an account from its lab and number, so that an organisation has each account once. */
export const labAccountId = (orgId: string, { lab, provider_account_id }: LabAccountDraft): string =>
  nameUuid(`lab account ${orgId} ${lab} ${provider_account_id}`);
