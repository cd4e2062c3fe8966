import { labTable } from "../../contract/resources.ts";
import { MatchTestStore } from "../../store/results/match-tests.ts";
import { tableOf } from "../aws.ts";

export const make = () => new MatchTestStore(tableOf(labTable));
