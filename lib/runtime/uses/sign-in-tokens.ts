import { directory, signInTokens } from "../../contract/resources.ts";
import { signInToken } from "../../domain/linking/session.ts";
import { OneTimeTokenStore } from "../../store/linking/one-time-tokens.ts";
import { tableOf } from "../aws.ts";

export const make = () => new OneTimeTokenStore(tableOf(directory), signInTokens, signInToken);
