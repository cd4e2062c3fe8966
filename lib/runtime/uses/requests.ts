import { labTable } from "../../contract/resources.ts";
import { RequestStore } from "../../store/requests.ts";
import { tableOf } from "../aws.ts";

export const make = () => new RequestStore(tableOf(labTable));
