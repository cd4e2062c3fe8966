import type { EntityResource, KeyResource } from "../../contract/resource-kinds.ts";
import {
  bulkSteps,
  connectionCredentials,
  consentKeys,
  consoleProviders,
  credentialsKey,
  customCredentials,
  destinations,
  webhookEndpoints,
  webhookSecretsKey,
} from "../../contract/resources.ts";
import type { EncryptionContext } from "../../crypto/envelope-encryption.ts";
import { bulkStepEncryptionContext } from "../../domain/connections/bulk-op.ts";
import { connectionEncryptionContext } from "../../domain/connections/connection-credentials.ts";
import { consentKeyEncryptionContext } from "../../domain/connections/consents/consent.ts";
import { customSecretsEncryptionContext } from "../../domain/connections/providers/custom-credentials.ts";
import { consoleProviderEncryptionContext } from "../../domain/console/console-provider.ts";
import type { BrokerKind } from "../../domain/management/destination-kinds.ts";
import { destinationSecretContext } from "../../events/forwarding/team-destination.ts";
import { headersContext, secretContext } from "../../events/webhooks/webhook-endpoint.ts";
import type { Item, Key } from "../../store/item.ts";

/** A secret of an item: its place, the KMS key, and the context of its encryption. */
interface SealedField {
  readonly path: readonly string[];
  readonly key: KeyResource;
  readonly context: EncryptionContext;
}

// biome-ignore lint/suspicious/noExplicitAny: an item of the named entity, which its store wrote
type StoredRecord = any;
type FieldsOf = (item: StoredRecord, teamId: string) => readonly SealedField[];

const credential = (context: EncryptionContext, ...path: readonly string[]): SealedField => ({
  path: path.length > 0 ? path : ["sealed"],
  key: credentialsKey,
  context,
});
const webhook = (context: EncryptionContext, ...path: readonly string[]) => ({ path, key: webhookSecretsKey, context });

/** The secrets of each kind of item that has any. */
const sealedFields: readonly (readonly [EntityResource, FieldsOf])[] = [
  [
    webhookEndpoints,
    (item) => [
      webhook(secretContext(item), "sealed_secret"),
      webhook(secretContext(item), "previous_secret", "sealed_secret"),
      webhook(headersContext(item), "headers"),
    ],
  ],
  [customCredentials, (item, teamId) => [credential(customSecretsEncryptionContext(teamId, item.source))]],
  [connectionCredentials, (item) => [credential(connectionEncryptionContext(item))]],
  [bulkSteps, (item) => [credential(bulkStepEncryptionContext(item))]],
  [consentKeys, (_, teamId) => [credential(consentKeyEncryptionContext(teamId))]],
  [consoleProviders, (_, teamId) => [credential(consoleProviderEncryptionContext(teamId))]],
  [
    destinations,
    (item, teamId) =>
      Object.keys(item.sealed ?? {}).map((kind) =>
        credential(destinationSecretContext(teamId, kind as BrokerKind), "sealed", kind),
      ),
  ],
];

/** Lists the secrets that an item has. */
export function listSealedFields(item: Item & Key): SealedField[] {
  const [entity, fieldsOf] = sealedFields.find(([{ keyPrefix }]) => item.pk.startsWith(keyPrefix)) ?? [];
  if (!entity || !fieldsOf) return [];
  // The id of the team follows the prefix in the keys of all these entities.
  const [teamId = ""] = item.pk.slice(entity.keyPrefix.length).split("#");
  return fieldsOf(item, teamId).filter(({ path }) => typeof readPath(item, path) === "string");
}

/** Reads a member of an item by its path. */
export const readPath = (item: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((part, name) => (part as Record<string, unknown> | null | undefined)?.[name], item);

/** Returns a copy of an item with another member at a path. */
export function writePath<T>(item: T, [name, ...rest]: readonly string[], value: unknown): T {
  if (name === undefined) return value as T;
  const members = item as Record<string, unknown>;
  return { ...members, [name]: writePath(members[name], rest, value) } as T;
}
