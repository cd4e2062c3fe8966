import { directory } from "../../contract/resources.ts";
import { OrgStore } from "../../store/orgs.ts";
import { tableOf } from "../aws.ts";

export const make = () => new OrgStore(tableOf(directory));
