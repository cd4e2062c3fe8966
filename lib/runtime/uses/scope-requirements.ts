import { directory } from "../../contract/resources.ts";
import { ScopeRequirementStore } from "../../store/scope-requirements.ts";
import { tableOf } from "../aws.ts";

export const make = () => new ScopeRequirementStore(tableOf(directory));
