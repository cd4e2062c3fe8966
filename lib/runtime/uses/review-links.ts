import { directory } from "../../contract/resources.ts";
import { ReviewLinkStore } from "../../store/lab-reports/review-links.ts";
import { tableOf } from "../aws.ts";

export const make = () => new ReviewLinkStore(tableOf(directory));
