import type { StreamKind } from "../../domain/summaries/streams/stream-kind.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { Answer } from "../../runtime/http/answer.ts";
import type { TeamScope } from "../../store/team-scope.ts";

type ReadStreamDependencies = Dependencies<"users" | "summaries" | "streams">;

/**
 * Reads the stream of a workout or sleep, in its stored wire format. Without a stream the lists are empty.
 * @returns undefined for an unknown workout or sleep.
 */
export async function readStream(
  { users, summaries, streams }: ReadStreamDependencies,
  scope: TeamScope,
  kind: StreamKind,
  id: string,
): Promise<Answer | undefined> {
  const summary = await summaries.findById(scope, kind.of, id);
  if (!summary || !(await users.get(scope, summary.user_id))) return undefined;
  const { user_id: userId, provider, source_type: sourceType, provider_id: providerId } = summary;
  const text =
    providerId === null ? undefined : await streams.read(scope, { userId, kind, provider, sourceType, providerId });
  return new Answer(text ?? emptyStream(kind));
}

function emptyStream({ wire }: StreamKind): string {
  return JSON.stringify(Object.fromEntries(Object.keys(wire.shape).map((list) => [list, []])));
}
