import { directory, oauthTickets } from "../../contract/resources.ts";
import { oauthTicket } from "../../domain/linking/link-attempt.ts";
import { OneTimeTokenStore } from "../../store/linking/one-time-tokens.ts";
import { tableOf } from "../aws.ts";

export const make = () => new OneTimeTokenStore(tableOf(directory), oauthTickets, oauthTicket);
