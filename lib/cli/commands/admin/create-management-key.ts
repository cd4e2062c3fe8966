import { declareCommand } from "../../frame/declaration.ts";
import { option, text } from "../../frame/values.ts";
import { createBootstrapOptions, stackName, stackOption } from "./bootstrap-options.ts";

export const createManagementKey = declareCommand({
  name: "create-management-key",
  summary: "Creates another management key for an organization",
  description: ["The key is printed once. The service stores only its hash."],
  options: { org: option("<id>", "id of the organization", text), ...stackOption },
  examples: [["admin create-management-key --org 6ff0e6c8-0f7c-4a3e-9f0a-2d5f5f6c3b11", "prints the key"]],
  json: "always",
  failurePrefix: "Not done",
  run: async ({ org, stack }) => {
    const { directoryTable } = await import("../../../contract/resources.ts");
    const { planOrg, writeManagementKey } = await import("../../../services/management/bootstrap.ts");
    const { AdminRefused } = await import("../../../start/admin-refused.ts");
    const { explainAwsErrors, openDeployedTable } = await import("../../../start/deployed-table.ts");
    const options = createBootstrapOptions("");
    const planned = { ...planOrg(options), org_id: org.toLowerCase() };
    const table = await openDeployedTable(stackName(stack), directoryTable);
    const isWritten = await explainAwsErrors(() => writeManagementKey(table, planned, options));
    if (!isWritten) throw new AdminRefused("the organization does not exist");
    return { data: planned };
  },
});
