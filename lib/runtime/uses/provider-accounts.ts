import { directory } from "../../contract/resources.ts";
import { ProviderAccountStore } from "../../store/linking/provider-accounts.ts";
import { tableOf } from "../aws.ts";

export const make = () => new ProviderAccountStore(tableOf(directory));
