import { declareCommand } from "../frame/declaration.ts";
import { createArchiveKeys } from "./admin/create-archive-keys.ts";
import { createManagementKey } from "./admin/create-management-key.ts";
import { createOrg } from "./admin/create-org.ts";
import { exportDeployment } from "./admin/export-deployment.ts";
import { importDeployment } from "./admin/import-deployment.ts";
import { reapplyErasures } from "./admin/reapply-erasures.ts";
import { resendDeadLetters } from "./admin/resend-dead-letters.ts";
import { restore } from "./admin/restore.ts";
import { setLabAccount } from "./admin/set-lab-account.ts";
import { verifyAudit } from "./admin/verify-audit.ts";

export const admin = declareCommand({
  name: "admin",
  summary: "Administers a deployed service with your AWS credentials and region",
  subcommands: [
    createOrg,
    createManagementKey,
    setLabAccount,
    reapplyErasures,
    resendDeadLetters,
    restore,
    createArchiveKeys,
    exportDeployment,
    importDeployment,
    verifyAudit,
  ],
});
