import { directory } from "../../contract/resources.ts";
import { ThrottleStore } from "../../store/linking/throttles.ts";
import { tableOf } from "../aws.ts";

export const make = () => new ThrottleStore(tableOf(directory));
