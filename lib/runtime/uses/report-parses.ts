import { reportParses } from "../../contract/queues.ts";
import { locate } from "../aws.ts";
import { Queue } from "../queue.ts";

export const make = () => new Queue(locate(reportParses));
