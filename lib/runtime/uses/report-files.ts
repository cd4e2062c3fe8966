import { reportFiles } from "../../contract/resources.ts";
import { locate } from "../aws.ts";
import { Bucket } from "../bucket.ts";

export const make = () => new Bucket(locate(reportFiles));
