import { directory } from "../../contract/resources.ts";
import { UserPortalLinkStore } from "../../store/user-portal-links.ts";
import { tableOf } from "../aws.ts";

export const make = () => new UserPortalLinkStore(tableOf(directory));
