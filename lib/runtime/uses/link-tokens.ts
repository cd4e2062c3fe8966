import { directory, linkTokens } from "../../contract/resources.ts";
import { linkToken } from "../../domain/linking/link-token.ts";
import { OneTimeTokenStore } from "../../store/linking/one-time-tokens.ts";
import { tableOf } from "../aws.ts";

export const make = () => new OneTimeTokenStore(tableOf(directory), linkTokens, linkToken);
