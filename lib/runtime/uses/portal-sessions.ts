import { directory } from "../../contract/resources.ts";
import { PortalSessionStore } from "../../store/portal-sessions.ts";
import { tableOf } from "../aws.ts";

export const make = () => new PortalSessionStore(tableOf(directory));
