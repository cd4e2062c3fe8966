import { nameUuid } from "../crypto/name-uuid.ts";
import type { KeyRecord } from "../domain/identity.ts";
import { isOwnStatus, type LabAccountDraft } from "../domain/lab-tests/lab-account-draft.ts";
import type { TeamStore } from "../store/identity.ts";
import { deployment } from "./deployment.ts";
import { Forbidden } from "./errors.ts";
import { requireTeam } from "./management.ts";

/** What an organisation says of a lab account of its own. */
interface Said {
  readonly status?: string | null | undefined;
  readonly team_id_allowlist?: readonly string[] | null | undefined;
}

/**
 * Checks what an organisation says of a lab account.
 * @throws Forbidden for a status that is not its to give, NotFound for a team that the key does not reach.
 */
export async function requireOwn(teams: TeamStore, key: KeyRecord, orgId: string, said: Said): Promise<void> {
  if (said.status && !isOwnStatus(said.status, deployment().environment)) {
    throw new Forbidden(
      "In production an account gets this status by whoever runs the deployment, once the lab agrees.",
    );
  }
  await Promise.all([...new Set(said.team_id_allowlist)].map((id) => requireTeam(teams, key, orgId, id)));
}

/** The id of an account: of its laboratory and number, so that an organisation has no two with the same. */
export const labAccountId = (orgId: string, { lab, provider_account_id }: LabAccountDraft): string =>
  nameUuid(`lab account ${orgId} ${lab} ${provider_account_id}`);
