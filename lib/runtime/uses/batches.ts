import { batches } from "../../contract/resources.ts";
import { locate } from "../aws.ts";
import { Batches } from "../batches.ts";

export const make = () => new Batches(locate(batches));
