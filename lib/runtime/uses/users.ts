import { directory } from "../../contract/resources.ts";
import { UserStore } from "../../store/users.ts";
import { tableOf } from "../aws.ts";

export const make = () => new UserStore(tableOf(directory));
