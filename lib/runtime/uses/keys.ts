import { directory } from "../../contract/resources.ts";
import { KeyStore } from "../../store/keys.ts";
import { tableOf } from "../aws.ts";

export const make = () => new KeyStore(tableOf(directory));
