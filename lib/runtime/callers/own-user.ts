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
export function requireOwnUser(contract: EndpointContract, caller: Caller, input: object): void {
  if (!caller.ownUser || contract.callsRoutes) return;
  const reach = contract.agentTool?.reach ?? "team";
  if (reach === "team") throw new Forbidden("An access token of one user may not call this operation.");
  const { params, query } = input as { params: Record<string, unknown>; query: Record<string, unknown> };
  if (reach === "user" && (params.user_id ?? query.user_id) === undefined) {
    throw new Forbidden("An access token of one user must name the user in user_id.");
  }
}

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
  const isVisible = (user: UserRecord) =>
    user.user_id === ownUser.user_id && !isRevoked(ownUser, user.credentials_revoked_at);
  const limited: UserReads = {
    get: async (scope, userId) => {
      const user = userId === ownUser.user_id ? await users.get(scope, userId) : undefined;
      return user && isVisible(user) ? user : undefined;
    },
    getMany: async (scope, userIds) => {
      const own = userIds.filter((userId) => userId === ownUser.user_id);
      return (await users.getMany(scope, own)).filter(isVisible);
    },
  };
  return { ...deps, users: limited };
}
