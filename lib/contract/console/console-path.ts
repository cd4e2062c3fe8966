import type { EndpointContract } from "../endpoint.ts";

/** Start of the paths of the main API at which sessions of the console call operations of the management API. */
const PREFIX = "/console";

/** The path of the main API at which a session of the console calls a management operation. */
export const consolePathOf = ({ path }: Pick<EndpointContract, "path">): `/${string}` => `${PREFIX}${path}`;

/** Whether a request for a management operation came to the main API, where only sessions of the console may call it. */
export const isConsolePath = (rawPath: string): boolean => rawPath.startsWith(`${PREFIX}/`);

/** Whether sessions of the console may call a management operation on the main API. */
export const isOnMainApiToo = ({ consoleRoles }: Pick<EndpointContract, "consoleRoles">): boolean =>
  consoleRoles !== undefined;
