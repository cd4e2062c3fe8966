import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { chunks, summaries, userKeyTable } from "../../../lib/contract/resources.ts";
import type { UserKey } from "../../../lib/crypto/user-key.ts";
import { decodeChunk } from "../../../lib/domain/chunk/codec.ts";
import { kmsEngine } from "../../../lib/local/engines/kms.ts";
import { UserKeyGone } from "../../../lib/runtime/errors.ts";
import { UserKeyRing } from "../../../lib/runtime/user-keys.ts";
import { placeOf } from "../../../lib/store/chunk-key.ts";
import { openSummary } from "../../../lib/store/sealed-summary.ts";
import type { Key } from "../../../lib/store/table.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { UserKeyStore } from "../../../lib/store/user-keys.ts";
import type { TestService } from "../../support/service.ts";

/** Opens the stored user keys without any policy, as an attacker with access to the whole service could. */
export function rawKeys(service: TestService, documents: DynamoDBDocumentClient): UserKeyRing {
  const { arn: KeyId } = resource(service, "AWS::KMS::Key", "DataKey");
  const engine = kmsEngine(service.data.file("kms.key"));
  const kms = {
    generate: () => Promise.reject(new Error("no key is created here")),
    async unwrap(wrapped: Uint8Array, context: object) {
      const body = {
        KeyId,
        CiphertextBlob: Buffer.from(wrapped).toString("base64"),
        EncryptionContext: { ...context },
      };
      const { Plaintext } = (await engine("Decrypt", body)) as { Plaintext: string };
      return Buffer.from(Plaintext, "base64");
    },
  };
  const { name } = resource(service, "AWS::DynamoDB::Table", `Table${userKeyTable.name}`);
  return new UserKeyRing({ store: () => new UserKeyStore(new Table(documents, name)), kms: () => kms });
}

/** Whether an item has a sealed attribute. */
const isSealed = ({ pk }: Key): boolean => [chunks, summaries].some(({ keyPrefix }) => pk.startsWith(keyPrefix));

/**
 * Returns the sealed content of an item as text; undefined if none is sealed or the key is destroyed.
 * @throws if the content is not sealed.
 */
export async function sealedText(keys: UserKeyRing, item: Key & { readonly b?: unknown }): Promise<string | undefined> {
  if (!isSealed(item)) return undefined;
  if (!item.pk.startsWith(chunks.keyPrefix)) return openFields(keys, item);
  const columns = await openChunk(keys, item);
  return columns && JSON.stringify(decodeChunk(columns));
}

/** Opens the fields of a stored summary or summary version. */
async function openFields(keys: UserKeyRing, item: Key & { readonly b?: unknown }): Promise<string | undefined> {
  const seal = await sealOf(keys, item.pk.slice(summaries.keyPrefix.length));
  return seal && JSON.stringify(openSummary(seal, { pk: item.pk, sk: item.sk, b: item.b as Uint8Array }).fields);
}

/**
 * Opens the columns of a stored chunk; undefined after the user's key is destroyed.
 * @throws if the content is not sealed.
 */
export async function openChunk(
  keys: UserKeyRing,
  item: Key & { readonly b?: unknown },
): Promise<Uint8Array | undefined> {
  const seal = await sealOf(keys, item.pk.slice(chunks.keyPrefix.length));
  return seal?.open(item.b as Uint8Array, placeOf(item));
}

/** Returns the key of the user in a partition key; undefined after the key is destroyed. */
async function sealOf(keys: UserKeyRing, owner: string): Promise<UserKey | undefined> {
  const [team = "", user = ""] = owner.split("#");
  try {
    return await keys.keyOf(TeamScope.grant(team), user);
  } catch (error) {
    if (error instanceof UserKeyGone) return undefined;
    throw error;
  }
}

/** Returns the physical resource whose logical id starts with `logicalId`. */
export function resource({ cloud }: TestService, type: string, logicalId: string) {
  const [found] = cloud.assembly.resources.filter((one) => one.type === type && one.logicalId.startsWith(logicalId));
  if (!found) throw new Error(`no ${type} ${logicalId}`);
  return found;
}
