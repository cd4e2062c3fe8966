import { directory } from "../../contract/resources.ts";
import { ConnectionPollStore } from "../../store/linking/connection-polls.ts";
import { tableOf } from "../aws.ts";

export const make = () => new ConnectionPollStore(tableOf(directory));
