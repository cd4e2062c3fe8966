import { directory } from "../../contract/resources.ts";
import { KeyUseStore } from "../../store/key-uses.ts";
import { tableOf } from "../aws.ts";

export const make = () => new KeyUseStore(tableOf(directory));
