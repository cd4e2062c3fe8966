import { auditTable } from "../../contract/resources.ts";
import { AuditLogStore } from "../../store/audit/audit-log.ts";
import { tableOf } from "../aws.ts";

export const make = () => new AuditLogStore(tableOf(auditTable));
