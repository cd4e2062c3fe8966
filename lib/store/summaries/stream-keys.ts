import { createHash } from "node:crypto";
import { streamRecords, streams } from "../../contract/resources.ts";
import type { StreamKind } from "../../domain/summaries/streams/stream-kind.ts";
import type { Key } from "../item.ts";
import type { TeamScope } from "../team-scope.ts";

/** Identifies a stream: its user, and its workout or sleep. */
export interface StreamKey {
  readonly userId: string;
  readonly kind: StreamKind;
  readonly provider: string;
  readonly sourceType: string;
  /** The provider's id of the workout or sleep. */
  readonly providerId: string;
}

/** Returns the partition of a user's streams. */
export const streamPartition = (scope: TeamScope, userId: string) =>
  `${streamRecords.keyPrefix}${scope.teamId}#${userId}`;

/** The provider's id comes last, because it may contain the separator. */
const sortKey = ({ kind, provider, sourceType, providerId }: StreamKey) =>
  [kind.name, provider, sourceType, providerId].join("#");

/** Returns the key of a stream's item. */
export const streamItemKey = (scope: TeamScope, key: StreamKey): Key => ({
  pk: streamPartition(scope, key.userId),
  sk: sortKey(key),
});

/** Returns the key prefix of a user's objects. */
export const streamObjectPrefix = (scope: TeamScope, userId: string) => `${scope.teamId}/${userId}/`;

/** Returns the key of a stream's object. Object keys appear in logs, so they contain no text of the sender. */
export function streamObjectKey(scope: TeamScope, arrived: StreamKey & { readonly receiptId: string }): string {
  const stream = createHash("sha256").update(sortKey(arrived)).digest("hex");
  return `${streamObjectPrefix(scope, arrived.userId)}${stream}/${arrived.receiptId}`;
}

/** Returns the associated data of an object's encryption. It names the bucket as the service does. */
export const streamAssociatedData = (name: string): readonly string[] => [streams.name, name];
