import { userExports } from "../../contract/resources.ts";
import { locate } from "../aws.ts";
import { DownloadBucket } from "../download-bucket.ts";

export const make = () => new DownloadBucket(locate(userExports));
