import * as z from "zod";
import type { EndpointContract } from "./endpoint.ts";

/** Parameters and fields of a body that name users in every route that has them. */
const everywhere = ["user_id", "user_ids", "client_user_id", "patient", "subject"] as const;

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
  ...Object.fromEntries(everywhere.map((name) => [name, "any" as const])),
  ...userParameters,
});

/** Whether a request names a user in its path, its query or the fields of its body. */
export function namesUser(route: Pick<EndpointContract, "userParameters">, { params, query, body }: GivenParts) {
  const ways = userParametersOf(route);
  const isName = ([name, value]: [string, unknown]) =>
    value != null && Object.hasOwn(ways, name) && (ways[name] === "any" || completeId.safeParse(value).success);
  return [params, query, body].some((part) => typeof part === "object" && Object.entries(part ?? {}).some(isName));
}
