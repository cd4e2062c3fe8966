import { auditTable } from "../../contract/resources.ts";
import { AuditChainStore } from "../../store/audit/audit-chains.ts";
import { tableOf } from "../aws.ts";

export const make = () => new AuditChainStore(tableOf(auditTable));
