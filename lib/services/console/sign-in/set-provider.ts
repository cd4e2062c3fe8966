import type * as z from "zod";
import { deleteItem, generateDataKey, getItem, putItem } from "../../../contract/access.ts";
import { consoleProviders, credentialsKey, keys, teams } from "../../../contract/resources.ts";
import { generateApiKey, sha256 } from "../../../crypto/api-key.ts";
import {
  type ConsoleProvider,
  changesRoles,
  type consoleProviderDraft,
  consoleProviderEncryptionContext,
} from "../../../domain/console/console-provider.ts";
import type { KeyRecord } from "../../../domain/management/records.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { EgressRefused, resolveForEgress } from "../../../runtime/egress.ts";
import { Conflict, ValidationFailed } from "../../../runtime/errors.ts";
import { isoNow, ports } from "../../../runtime/ports.ts";
import { explainConditionFailed } from "../../../store/condition-failed.ts";
import type { ListedKey } from "../../../store/management/keys.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import type { WriteItem } from "../../../store/transaction.ts";

/** Grants of {@link setProvider}. */
export const setProviderAccess = [
  getItem(teams),
  getItem(consoleProviders),
  putItem(consoleProviders),
  getItem(keys),
  putItem(keys),
  deleteItem(keys),
  generateDataKey(credentialsKey, "console_provider"),
] as const;

type ProviderDependencies = Dependencies<"consoleProviders" | "keys" | "commit">;

/**
 * Sets the provider of a team. It gets another key if who may sign in changes: sessions end with the former key.
 * @throws ValidationFailed for an issuer that must not be reached; Conflict if the provider changed at the same time.
 */
export async function setProvider(
  scope: TeamScope,
  org_id: string,
  { client_secret, ...draft }: z.output<typeof consoleProviderDraft>,
  deps: ProviderDependencies & Dependencies<"credentials">,
): Promise<ConsoleProvider> {
  await requireReachableIssuer(draft.issuer);
  const before = await deps.consoleProviders.get(scope);
  const now = isoNow();
  const key = before && !changesRoles(before, draft) ? undefined : createProviderKey(scope, org_id, now);
  const provider = {
    ...draft,
    team_id: scope.teamId,
    key_id: key?.key_id ?? before?.key_id ?? "",
    client_secret_hash: sha256(client_secret),
    sealed: await deps.credentials.encrypt(client_secret, consoleProviderEncryptionContext(scope.teamId)),
    created_at: before?.created_at ?? now,
    updated_at: now,
  };
  const items = key ? [...(await deleteKeyItems(before, deps)), ...deps.keys.createItems(key)] : [];
  await commitUnchanged([deps.consoleProviders.replaceItem(scope, provider, before), ...items], deps);
  return provider;
}

/** Deletes the provider of a team, and its key. @returns false if the team has none. @throws Conflict */
export async function deleteProvider(scope: TeamScope, deps: ProviderDependencies): Promise<boolean> {
  const before = await deps.consoleProviders.get(scope);
  if (!before) return false;
  const items = await deleteKeyItems(before, deps);
  await commitUnchanged([deps.consoleProviders.deleteItem(scope, before), ...items], deps);
  return true;
}

/** Creates a key that stands for the people of the provider. Its text is forgotten, so nobody ever presents it. */
function createProviderKey(
  { teamId }: TeamScope,
  org_id: string,
  created_at: string,
): KeyRecord & { readonly id: string } {
  const { ids } = ports();
  const { key: _, ...stored } = generateApiKey("mg", ids.bytes);
  const about = { id: ids.uuid(), kind: "console_provider" as const, label: "", created_at };
  return { ...stored, ...about, org_id, team_ids: [teamId] };
}

async function deleteKeyItems(
  before: ConsoleProvider | undefined,
  { keys }: ProviderDependencies,
): Promise<WriteItem[]> {
  const key = before && (await keys.get(before.key_id));
  return key?.id === undefined ? [] : keys.deleteItems({ ...key, id: key.id } satisfies ListedKey);
}

const commitUnchanged = (items: readonly WriteItem[], { commit }: ProviderDependencies): Promise<unknown> =>
  explainConditionFailed(
    commit(items),
    (cause) => new Conflict("The provider changed at the same time. Try again.", { cause }),
  );

async function requireReachableIssuer(issuer: string): Promise<void> {
  try {
    await resolveForEgress(new URL(issuer));
  } catch (error) {
    const reason = error instanceof EgressRefused ? error.message : "the host cannot be resolved";
    throw ValidationFailed.at(["body", "issuer"], `The provider cannot be reached at this address: ${reason}`);
  }
}
