import { labTable } from "../../contract/resources.ts";
import { PhysicianStore } from "../../store/physicians.ts";
import { tableOf } from "../aws.ts";

export const make = () => new PhysicianStore(tableOf(labTable));
