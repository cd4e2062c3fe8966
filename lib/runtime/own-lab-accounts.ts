import { nameUuid } from "../crypto/name-uuid.ts";
import type { KeyRecord } from "../domain/identity.ts";
import { isOwnStatus, type LabAccountDraft } from "../domain/lab-tests/lab-account-draft.ts";
import type { TeamStore } from "../store/identity.ts";
import { deployment } from "./deployment.ts";
import { Forbidden } from "./errors.ts";
import { requireTeam } from "./management.ts";

/** Fields of a lab account that an organisation sets. */
interface Said {
  readonly status?: string | null | undefined;
  readonly team_id_allowlist?: readonly string[] | null | undefined;
}

/**
 * Checks the input of an organisation for a lab account of its own.
 * @throws Forbidden for a status that the organisation may not set; NotFound for a team that the key cannot reach.
 */
export async function requireOwn(teams: TeamStore, key: KeyRecord, orgId: string, said: Said): Promise<void> {
  if (said.status && !isOwnStatus(said.status, deployment().environment)) {
    throw new Forbidden("In production only the operator of the deployment sets this status, once the lab agrees.");
  }
  await Promise.all([...new Set(said.team_id_allowlist)].map((id) => requireTeam(teams, key, orgId, id)));
}

/** Derives the id of an account from its lab and number, so that an organisation has each account once. */
export const labAccountId = (orgId: string, { lab, provider_account_id }: LabAccountDraft): string =>
  nameUuid(`lab account ${orgId} ${lab} ${provider_account_id}`);
