import * as z from "zod";
import type { EndpointContract } from "./endpoint.ts";

/** Parameters and fields of a body that name users in every route that has them. */
const everywhere = { user_id: "any", user_ids: "any", client_user_id: "any", patient: "any", subject: "any" } as const;

const completeId = z.guid();

/** The parsed parts of a request. */
export interface GivenParts {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Returns how the parameters of a route name users: with any value, or with a complete `user_id` only. */
export const userParametersOf = ({
  userParameters = {},
}: Pick<EndpointContract, "userParameters">): Readonly<Record<string, "any" | "user_id">> => ({
  ...everywhere,
  ...userParameters,
});

/** Whether a request names a user in its path, its query or the fields of its body. */
export function namesUser(route: Pick<EndpointContract, "userParameters">, { params, query, body }: GivenParts) {
  const ways = userParametersOf(route);
  const isName = ([name, value]: [string, unknown]) => {
    const way = Object.hasOwn(ways, name) && value != null && ways[name];
    return way === "any" || (way === "user_id" && completeId.safeParse(value).success);
  };
  return [params, query, body].some((part) => typeof part === "object" && Object.entries(part ?? {}).some(isName));
}
