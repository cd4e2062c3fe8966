import { labTable } from "../../contract/resources.ts";
import { MatchReviewStore } from "../../store/results/match-reviews.ts";
import { tableOf } from "../aws.ts";

export const make = () => new MatchReviewStore(tableOf(labTable));
