import type { EndpointContract } from "../../contract/endpoint.ts";
import { isRevoked } from "../../domain/management/issued-by.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { Forbidden } from "../errors.ts";

/** The user to whom an access token is limited, and the time at which it was made, ISO 8601. */
export interface OwnUser {
  readonly user_id: string;
  readonly made_at: string;
}

/** A caller, which may be limited to one user. */
interface Caller {
  readonly ownUser?: OwnUser | undefined;
}

/**
 * Rejects a token of one user on routes that read more than one user: it may only call tools of agents, and where the
 * request can name a user it must name one. {@link withOwnUser} then hides all other users.
 * @throws Forbidden
 */
export function requireOwnUser({ callsRoutes, agentTool }: EndpointContract, caller: Caller, input: object): void {
  if (!caller.ownUser || callsRoutes || agentTool?.reach === "object") return;
  const { params, query } = input as { params: Named; query: Named };
  if (agentTool?.reach === "user" && (params.user_id ?? query.user_id)) return;
  throw new Forbidden("A token of one user may only call tools of agents, and names its user.");
}

type Named = { readonly user_id?: string };

/** The methods of the user store that tools of agents call. */
interface UserReads {
  get(scope: TeamScope, userId: string): Promise<UserRecord | undefined>;
  getMany(scope: TeamScope, userIds: readonly string[]): Promise<UserRecord[]>;
}

/**
 * Limits the user store to the user of a token: all others read as unknown, and so does the user itself once its
 * credentials are revoked. Every function that touches data of a user reads the user first, so this limits all data.
 */
export function withOwnUser<Deps extends object>(deps: Deps, { ownUser }: Caller): Deps {
  const { users } = deps as { users?: UserReads };
  if (!ownUser || !users) return deps;
  const { user_id } = ownUser;
  const visible = (found: readonly (UserRecord | undefined)[]) =>
    found.filter((user) => user !== undefined).filter((user) => !isRevoked(ownUser, user.credentials_revoked_at));
  // Each method reads as the store's own does, because a route may have the grant of one alone.
  const get: UserReads["get"] = async (scope, userId) =>
    userId === user_id ? visible([await users.get(scope, userId)])[0] : undefined;
  const getMany: UserReads["getMany"] = async (scope, userIds) =>
    userIds.includes(user_id) ? visible(await users.getMany(scope, [user_id])) : [];
  return { ...deps, users: { get, getMany } };
}
