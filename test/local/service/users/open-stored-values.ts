import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { chunks, summaries, userKeyTable } from "../../../../lib/contract/resources.ts";
import type { UserKey } from "../../../../lib/crypto/user-key.ts";
import { decodeChunk } from "../../../../lib/domain/timeseries/chunk/codec.ts";
import { createKmsEngine } from "../../../../lib/local/engines/kms.ts";
import { UserKeyRing } from "../../../../lib/runtime/aws/user-key-ring.ts";
import { UserKeyGone } from "../../../../lib/runtime/errors.ts";
import type { Key } from "../../../../lib/store/item.ts";
import type { Recorder } from "../../../../lib/store/recorder-key.ts";
import { decryptSummary } from "../../../../lib/store/summaries/encrypted-summary.ts";
import { Table } from "../../../../lib/store/table.ts";
import { TeamScope } from "../../../../lib/store/team-scope.ts";
import { chunkItem, decryptRecorder } from "../../../../lib/store/timeseries/chunk-item.ts";
import { chunkAssociatedData } from "../../../../lib/store/timeseries/chunk-key.ts";
import { UserKeyStore } from "../../../../lib/store/users/user-keys.ts";
import type { TestService } from "../../../support/service.ts";

/** Opens the stored user keys without any policy, as an attacker with access to the whole service could. */
export function createUserKeyRing(service: TestService, documents: DynamoDBDocumentClient): UserKeyRing {
  const { arn: KeyId } = findResource(service, "AWS::KMS::Key", "DataKey");
  const engine = createKmsEngine(service.data.file("kms.key"));
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
  const { name } = findResource(service, "AWS::DynamoDB::Table", `Table${userKeyTable.name}`);
  return new UserKeyRing({ store: () => new UserKeyStore(new Table(documents, name)), kms: () => kms });
}

/** Whether an item has a sealed attribute. */
const isSealed = ({ pk }: Key): boolean => [chunks, summaries].some(({ keyPrefix }) => pk.startsWith(keyPrefix));

/**
 * Returns the sealed content of an item as text; undefined if none is sealed or the key is destroyed.
 * @throws if the content is not sealed.
 */
export async function openSealedText(
  keys: UserKeyRing,
  item: Key & { readonly b?: unknown },
): Promise<string | undefined> {
  if (!isSealed(item)) return undefined;
  if (!item.pk.startsWith(chunks.keyPrefix)) return openFields(keys, item);
  const columns = await openChunk(keys, item);
  return columns && JSON.stringify([decodeChunk(columns), await openRecorder(keys, item)]);
}

/** Opens the device and app of a stored chunk. */
async function openRecorder(keys: UserKeyRing, item: Key): Promise<Recorder | undefined> {
  const seal = await readUserKey(keys, item.pk.slice(chunks.keyPrefix.length));
  const parsed = chunkItem.safeParse(item);
  return seal && parsed.success ? decryptRecorder(seal, parsed.data) : undefined;
}

/** Opens the fields of a stored summary or summary version. */
async function openFields(keys: UserKeyRing, item: Key & { readonly b?: unknown }): Promise<string | undefined> {
  const seal = await readUserKey(keys, item.pk.slice(summaries.keyPrefix.length));
  return seal && JSON.stringify(decryptSummary(seal, { pk: item.pk, sk: item.sk, b: item.b as Uint8Array }).fields);
}

/**
 * Opens the columns of a stored chunk; undefined after the user's key is destroyed.
 * @throws if the content is not sealed.
 */
export async function openChunk(
  keys: UserKeyRing,
  item: Key & { readonly b?: unknown },
): Promise<Uint8Array | undefined> {
  const seal = await readUserKey(keys, item.pk.slice(chunks.keyPrefix.length));
  return seal?.decrypt(item.b as Uint8Array, chunkAssociatedData(item));
}

/** Returns the key of the user in a partition key; undefined after the key is destroyed. */
async function readUserKey(keys: UserKeyRing, owner: string): Promise<UserKey | undefined> {
  const [team = "", user = ""] = owner.split("#");
  try {
    return await keys.keyOf(TeamScope.grant(team), user);
  } catch (error) {
    if (error instanceof UserKeyGone) return undefined;
    throw error;
  }
}

/** Returns the physical resource whose logical id starts with `logicalId`. */
export function findResource({ cloud }: TestService, type: string, logicalId: string) {
  const [found] = cloud.assembly.resources.filter((one) => one.type === type && one.logicalId.startsWith(logicalId));
  if (!found) throw new Error(`no ${type} ${logicalId}`);
  return found;
}
