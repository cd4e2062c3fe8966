import { reportUploads } from "../../contract/resources.ts";
import { locate } from "../aws.ts";
import { UploadBucket } from "../lab-reports/upload-bucket.ts";

export const make = () => new UploadBucket(locate(reportUploads));
