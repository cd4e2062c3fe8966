import * as z from "zod";
import { labAccountStatuses } from "../../../domain/lab-tests/lab-account.ts";
import { declareCommand } from "../../frame/declaration.ts";
import { option, text } from "../../frame/values.ts";
import { stackName, stackOption } from "./bootstrap-options.ts";

export const setLabAccount = declareCommand({
  name: "set-lab-account",
  summary: "Sets the status of an organization's lab account, which decides whether orders can use it",
  options: {
    org: option("<id>", "id of the organization", text),
    account: option("<id>", "id of the lab account", text),
    status: option("<status>", "new status", z.enum(labAccountStatuses)),
    ...stackOption,
  },
  examples: [["admin set-lab-account --org <org_id> --account <account_id> --status active", "orders can use it"]],
  json: "always",
  failurePrefix: "Not done",
  run: async ({ org, account, status, stack }) => {
    const { labTable } = await import("../../../contract/resources.ts");
    const { AdminRefused } = await import("../../../start/admin-refused.ts");
    const { explainAwsErrors, openDeployedTable } = await import("../../../start/deployed-table.ts");
    const { ConditionFailed } = await import("../../../store/condition-failed.ts");
    const { LabAccountStore } = await import("../../../store/lab-tests/lab-accounts.ts");
    const accounts = new LabAccountStore(await openDeployedTable(stackName(stack), labTable));
    const update = () => accounts.update(org.toLowerCase(), account.toLowerCase(), { status });
    const data = await explainAwsErrors(update).catch((error) => {
      throw error instanceof ConditionFailed ? new AdminRefused("the organization has no such lab account") : error;
    });
    return { data };
  },
});
