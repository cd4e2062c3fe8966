import { directory } from "../../contract/resources.ts";
import { PayorStore } from "../../store/payors.ts";
import { tableOf } from "../aws.ts";

export const make = () => new PayorStore(tableOf(directory));
