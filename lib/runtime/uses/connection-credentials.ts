import { directory } from "../../contract/resources.ts";
import { ConnectionCredentialStore } from "../../store/linking/connection-credentials.ts";
import { tableOf } from "../aws.ts";

export const make = () => new ConnectionCredentialStore(tableOf(directory));
