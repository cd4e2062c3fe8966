import { deletionMachine } from "../../contract/resources.ts";
import { locate } from "../aws.ts";
import { Deletions } from "../deletions.ts";

export const make = () => new Deletions(locate(deletionMachine));
