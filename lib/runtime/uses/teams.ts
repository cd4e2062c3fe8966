import { directory } from "../../contract/resources.ts";
import { TeamStore } from "../../store/identity.ts";
import { tableOf } from "../aws.ts";

export const make = () => new TeamStore(tableOf(directory));
