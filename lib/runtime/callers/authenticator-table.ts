import type { Auth, EndpointContract } from "../../contract/endpoint.ts";
import type { Log } from "../log.ts";
import * as kinds from "./authenticators.ts";
import type { CredentialParts } from "./console/authenticate-console.ts";

/** Authenticates a request to an endpoint by its headers and cookies. @throws Unauthorized, TooManyRequests. */
type Authenticator = (request: CredentialParts, log: Log, contract: EndpointContract) => Promise<object>;

/**
 * The authenticators by their kind. In a bundle this table is empty, and the entry of a function adds the one that its
 * contract names (lib/build/function-entry.ts).
 */
export const authenticators: Readonly<Record<Auth, Authenticator>> = kinds;
