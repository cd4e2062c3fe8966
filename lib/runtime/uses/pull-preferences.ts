import { directory } from "../../contract/resources.ts";
import { PullPreferenceStore } from "../../store/pull-preferences.ts";
import { tableOf } from "../aws.ts";

export const make = () => new PullPreferenceStore(tableOf(directory));
