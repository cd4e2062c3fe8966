import { directory } from "../../contract/resources.ts";
import { KeyStore } from "../../store/identity.ts";
import { tableOf } from "../aws.ts";

export const make = () => new KeyStore(tableOf(directory));
