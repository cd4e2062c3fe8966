import { directory } from "../../contract/resources.ts";
import { CustomCredentialStore } from "../../store/custom-credentials.ts";
import { tableOf } from "../aws.ts";

export const make = () => new CustomCredentialStore(tableOf(directory));
