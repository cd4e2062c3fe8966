import { declareCommand } from "../../frame/declaration.ts";
import { option, text } from "../../frame/values.ts";
import { createBootstrapOptions, stackName, stackOption } from "./bootstrap-options.ts";

export const createOrg = declareCommand({
  name: "create-org",
  summary: "Creates an organization with its first management key",
  description: ["The key is printed once. The service stores only its hash."],
  options: { name: option("<name>", "name of the organization", text), ...stackOption },
  examples: [['admin create-org --name "Mine" --stack TributaryDev', "prints org_id and the management key"]],
  json: "always",
  failurePrefix: "Not done",
  run: async ({ name: given, stack }) => {
    const { directoryTable } = await import("../../../contract/resources.ts");
    const { teamName } = await import("../../../domain/management/records.ts");
    const { planOrg, writeOrg } = await import("../../../services/management/bootstrap.ts");
    const { AdminRefused } = await import("../../../start/admin-refused.ts");
    const { explainAwsErrors, openDeployedTable } = await import("../../../start/deployed-table.ts");
    const name = teamName.safeParse(given);
    if (!name.success)
      throw new AdminRefused("--name must have at most 80 characters: letters, digits, spaces and ( ) , / : ' | & _ -");
    const options = createBootstrapOptions(name.data);
    const planned = planOrg(options);
    const table = await openDeployedTable(stackName(stack), directoryTable);
    await explainAwsErrors(() => writeOrg(table, planned, options));
    return { data: planned };
  },
});
