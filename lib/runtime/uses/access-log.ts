import { auditTable } from "../../contract/resources.ts";
import { AccessLogStore } from "../../store/audit/access-log.ts";
import { tableOf } from "../aws.ts";

export const make = () => new AccessLogStore(tableOf(auditTable));
