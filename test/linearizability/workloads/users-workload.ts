import * as createUser from "../../../functions/users/create-user.ts";
import * as deleteUser from "../../../functions/users/delete-user.ts";
import * as getUser from "../../../functions/users/get-user.ts";
import * as getUserByClientUserId from "../../../functions/users/get-user-by-client-user-id.ts";
import * as patchUser from "../../../functions/users/patch-user.ts";
import * as undoDelete from "../../../functions/users/undo-delete.ts";
import type { ServiceFixture } from "../service-fixture.ts";
import { firstUuid, type Performed, toResult, type WorkloadFactory } from "../workload.ts";

const REFERENCES = ["a", "b"] as const;
const refusals = {
  client_user_id_taken: ({ user_id }: { user_id: string }) => ["taken", user_id],
  user_not_found: () => ["absent"],
  undo_refused: () => ["refused"],
};

/** Users of two references: created, read, renamed, deleted and restored. */
export const createUsersWorkload: WorkloadFactory = (service, random) => {
  const known: string[] = [];
  const calls = callsOf(service);
  return {
    prepare: async () => {},
    async perform() {
      const reference = random.pick(REFERENCES);
      const kind = random.integerBelow(100);
      if (known.length === 0 || kind < 25) return [await calls.create(reference, known)];
      const id = random.pick(known);
      if (kind < 40) return [await calls.resolve(reference)];
      if (kind < 50) return [await calls.get(id)];
      if (kind < 70) return [await calls.delete(id)];
      return [await (kind < 85 ? calls.undo(id) : calls.rename(id, reference))];
    },
  };
};

function callsOf(service: ServiceFixture) {
  const done = (name: string, args: readonly string[], result: Performed["result"]): Performed => ({
    ...{ kind: "users", object: "users", name, args, result },
  });
  return {
    async create(reference: string, known: string[]) {
      const context = service.newCall();
      const answer = await service.call(createUser, { body: { client_user_id: reference } }, context);
      const result = toResult(answer, ({ user_id }) => ["created", user_id], refusals);
      if (result?.[1]) known.push(result[1]);
      return done("create", [reference, firstUuid(context)], result);
    },
    async resolve(client_user_id: string) {
      const answer = await service.call(getUserByClientUserId, { path: { client_user_id } });
      return done(
        "resolve",
        [client_user_id],
        toResult(answer, ({ user_id }) => ["found", user_id], refusals),
      );
    },
    async get(user_id: string) {
      const answer = await service.call(getUser, { path: { user_id } });
      const result = toResult(answer, ({ client_user_id }) => ["found", client_user_id], refusals);
      return done("get", [user_id], result);
    },
    async delete(user_id: string) {
      const answer = await service.call(deleteUser, { path: { user_id } });
      return done(
        "delete",
        [user_id],
        toResult(answer, () => ["deleted"], refusals),
      );
    },
    async undo(user_id: string) {
      const answer = await service.call(undoDelete, { body: { user_id } });
      return done(
        "undo",
        [user_id],
        toResult(answer, () => ["restored"], refusals),
      );
    },
    async rename(user_id: string, client_user_id: string) {
      const answer = await service.call(patchUser, { path: { user_id }, body: { client_user_id } });
      return done(
        "rename",
        [user_id, client_user_id],
        toResult(answer, () => ["renamed"], refusals),
      );
    },
  };
}
