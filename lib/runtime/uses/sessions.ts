import { directory } from "../../contract/resources.ts";
import { SessionStore } from "../../store/linking/sessions.ts";
import { tableOf } from "../aws.ts";

export const make = () => new SessionStore(tableOf(directory));
