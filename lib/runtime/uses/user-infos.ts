import { directory } from "../../contract/resources.ts";
import { UserInfoStore } from "../../store/user-infos.ts";
import { tableOf } from "../aws.ts";

export const make = () => new UserInfoStore(tableOf(directory));
