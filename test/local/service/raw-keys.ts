import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { chunks, userKeyTable } from "../../../lib/contract/resources.ts";
import { kmsEngine } from "../../../lib/local/engines/kms.ts";
import { UserKeyGone, UserKeyRing } from "../../../lib/runtime/user-keys.ts";
import { placeOf } from "../../../lib/store/chunk-key.ts";
import type { Key } from "../../../lib/store/table.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { UserKeyStore } from "../../../lib/store/user-keys.ts";
import type { TestService } from "../../support/service.ts";

/** The keys of users as they are stored now, past every policy: whoever has all of the service may open all of it. */
export function rawKeys(service: TestService, documents: DynamoDBDocumentClient): UserKeyRing {
  const { arn: KeyId } = resource(service, "AWS::KMS::Key", "DataKey");
  const engine = kmsEngine(service.data.file("kms.key"));
  const kms = {
    generate: () => Promise.reject(new Error("nobody is created here")),
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

/** The columns of a stored chunk; undefined once the key of its user is destroyed. @throws for what is not sealed. */
export async function openChunk(
  keys: UserKeyRing,
  item: Key & { readonly b?: unknown },
): Promise<Uint8Array | undefined> {
  const [team = "", user = ""] = item.pk.slice(chunks.keyPrefix.length).split("#");
  try {
    return (await keys.of(TeamScope.grant(team), user)).open(item.b as Uint8Array, placeOf(item));
  } catch (error) {
    if (error instanceof UserKeyGone) return undefined;
    throw error;
  }
}

/** The physical resource of the service whose logical id begins so. */
export function resource({ cloud }: TestService, type: string, logicalId: string) {
  const [found] = cloud.assembly.resources.filter((one) => one.type === type && one.logicalId.startsWith(logicalId));
  if (!found) throw new Error(`no ${type} ${logicalId}`);
  return found;
}
