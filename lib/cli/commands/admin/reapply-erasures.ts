import { declareCommand } from "../../frame/declaration.ts";
import { stackName, stackOption } from "./bootstrap-options.ts";

export const reapplyErasures = declareCommand({
  name: "reapply-erasures",
  summary: "Erases the users again that a restored backup contains",
  description: ["Run it before the service is used again."],
  options: stackOption,
  examples: [["admin reapply-erasures", "counts the users, those erased, and their items"]],
  json: "always",
  failurePrefix: "Not done",
  run: async ({ stack }) => {
    const work = await import("../../../services/erasure/reapply-erasures.ts");
    const { explainAwsErrors } = await import("../../../start/deployed-table.ts");
    const { setDeploymentEnvironment } = await import("../../../start/deployment-environment.ts");
    await explainAwsErrors(() => setDeploymentEnvironment(stackName(stack)));
    return { data: await explainAwsErrors(() => work.reapplyErasures()) };
  },
});
