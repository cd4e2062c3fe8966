import { createHash } from "node:crypto";
import { streamRecords, streams } from "../contract/resources.ts";
import type { StreamKind } from "../domain/streams/stream-kind.ts";
import type { Key } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";

/** Whose a stream is and what it is the stream of. */
export interface StreamKey {
  readonly userId: string;
  readonly kind: StreamKind;
  readonly provider: string;
  readonly sourceType: string;
  /** The provider's own id of the workout or sleep. */
  readonly providerId: string;
}

/** The partition of all streams of a user. */
export const partition = (scope: TeamScope, userId: string) => `${streamRecords.keyPrefix}${scope.teamId}#${userId}`;

/** The provider's id stands last: it may contain the separator. */
const sortKey = ({ kind, provider, sourceType, providerId }: StreamKey) =>
  [kind.name, provider, sourceType, providerId].join("#");

/** Where the item of a stream is. */
export const itemKey = (scope: TeamScope, key: StreamKey): Key => ({
  pk: partition(scope, key.userId),
  sk: sortKey(key),
});

/** What the names of all objects of a user begin with. */
export const objectPrefix = (scope: TeamScope, userId: string) => `${scope.teamId}/${userId}/`;

/** Names of objects are logged, so they hold no text of the sender's. */
export function objectKey(scope: TeamScope, arrived: StreamKey & { readonly receiptId: string }): string {
  const stream = createHash("sha256").update(sortKey(arrived)).digest("hex");
  return `${objectPrefix(scope, arrived.userId)}${stream}/${arrived.receiptId}`;
}

/** What the content of an object is bound to: the bucket by its name in the service. */
export const placeOf = (name: string): readonly string[] => [streams.name, name];
