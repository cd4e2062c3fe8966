import type { APIGatewayProxyEventV2 } from "aws-lambda";
import * as z from "zod";
import { handler as beginErasure } from "../../../../functions/deletion/begin-erasure.ts";
import { handler as eraseUser } from "../../../../functions/deletion/erase-user.ts";
import { handler as sweepDeletions } from "../../../../functions/deletion/sweep-deletions.ts";
import { handler as createUser } from "../../../../functions/users/create-user.ts";
import { handler as deleteUser } from "../../../../functions/users/delete-user.ts";
import { handler as getUser } from "../../../../functions/users/get-user.ts";
import { handler as getUserByClientUserId } from "../../../../functions/users/get-user-by-client-user-id.ts";
import { handler as listUsers } from "../../../../functions/users/list-users.ts";
import { handler as patchUser } from "../../../../functions/users/patch-user.ts";
import { handler as undoDelete } from "../../../../functions/users/undo-delete.ts";
import type { DeletionInput } from "../../../../lib/domain/erasure/deletion-input.ts";
import type { Connection, WireUser } from "../../../../lib/domain/users/user.ts";
import type { Handler } from "../../../../lib/runtime/implement.ts";
import { ConditionFailed } from "../../../../lib/store/condition-failed.ts";
import type { Table } from "../../../../lib/store/table.ts";
import type { TeamScope } from "../../../../lib/store/team-scope.ts";
import { commit } from "../../../../lib/store/transaction.ts";
import { UserStore } from "../../../../lib/store/users/users.ts";
import { invocation, type RequestParts, requestEvent } from "../../support/handler-request.ts";
import type { Call, Outcome, VisibleUser } from "./call-history.ts";

/** The calling team and the table of its users. */
export interface ServiceCaller {
  readonly apiKey: string;
  readonly scope: TeamScope;
  readonly directory: Table;
}

const anything: Connection = { created_on: "2026-01-01T00:00:00.000Z", status: "connected" };
const proceedAnswer = z.object({ proceed: z.boolean() });

/** Calls the functions of the service through their handlers. */
export class UserServiceClient {
  readonly #asker: ServiceCaller;

  constructor(asker: ServiceCaller) {
    this.#asker = asker;
  }

  /** Runs a call. @returns undefined for a 503 response. @throws Error for any other 5xx response. */
  call(call: Call): Promise<Outcome | undefined> {
    switch (call.kind) {
      case "create":
        return this.#request(createUser, { method: "POST", body: { client_user_id: call.reference } });
      case "delete":
        return this.#request(deleteUser, { method: "DELETE", path: { user_id: call.userId } });
      case "undo":
        return this.#request(undoDelete, { method: "POST", body: { user_id: call.userId } });
      case "undoByReference":
        return this.#request(undoDelete, { method: "POST", query: { client_user_id: call.reference } });
      case "rename":
        return this.#request(patchUser, {
          method: "PATCH",
          path: { user_id: call.userId },
          body: { client_user_id: call.reference },
        });
      case "get":
        return this.#request(getUser, { method: "GET", path: { user_id: call.userId } });
      case "resolve":
        return this.#request(getUserByClientUserId, { method: "GET", path: { client_user_id: call.reference } });
      case "list":
        return this.#request(listUsers, { method: "GET" });
      case "connect":
        return this.#connect(call.userId);
      case "beginErasure":
        return this.#beginErasure(call.deletion);
    }
  }

  /** Runs the second step of the deletion machine. @returns whether it succeeded; a fault makes it fail. */
  eraseUser(deletion: DeletionInput): Promise<boolean> {
    return eraseUser(deletion as never, invocation).then(
      () => true,
      () => false,
    );
  }

  /** Runs the hourly sweep for deletions without a started machine. */
  async sweep(): Promise<void> {
    await sweepDeletions({} as never, invocation);
  }

  async #request(handler: Handler, parts: Omit<RequestParts, "apiKey">): Promise<Outcome | undefined> {
    const event: APIGatewayProxyEventV2 = requestEvent({ ...parts, apiKey: this.#asker.apiKey });
    const { statusCode = 0, body = "" } = await handler(event, invocation);
    if (statusCode === 503) return undefined;
    if (statusCode >= 500) throw new Error(`a response with ${statusCode}: ${body}`);
    return outcomeOf(statusCode, body === "" ? {} : JSON.parse(body));
  }

  async #connect(userId: string): Promise<Outcome | undefined> {
    const { directory, scope } = this.#asker;
    try {
      await commit(directory.documents, [new UserStore(directory).putConnectionItem(scope, userId, "demo", anything)]);
      return { status: 200 };
    } catch (error) {
      return error instanceof ConditionFailed ? { status: 404, code: "user_not_found" } : undefined;
    }
  }

  #beginErasure(deletion: DeletionInput): Promise<Outcome | undefined> {
    return beginErasure(deletion as never, invocation).then(
      (answer) => ({ status: 200, proceed: proceedAnswer.parse(answer).proceed }),
      () => undefined,
    );
  }
}

/** The fields that the bodies of these routes may have. */
type Body = Partial<WireUser> & { readonly code?: string; readonly users?: readonly WireUser[] };

function outcomeOf(status: number, body: Body): Outcome {
  const { code, user_id, created_on, users } = body;
  if (users) return { status, ids: users.map((user) => user.user_id).sort() };
  if (code !== undefined)
    return { status, code, ...(user_id === undefined ? {} : { user: { user_id, created_on: created_on ?? "" } }) };
  return { status, ...(user_id === undefined ? {} : { user: seen(body) }) };
}

function seen({
  user_id = "",
  client_user_id = "",
  created_on = "",
  connected_sources = [],
}: Partial<WireUser>): VisibleUser {
  return { user_id, client_user_id, created_on, isConnected: connected_sources.length > 0 };
}
