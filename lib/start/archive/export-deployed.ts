import { explainAwsErrors } from "../deployed-table.ts";
import { readDeployment } from "../restore/deployment-data.ts";
import { type DeploymentName, openDeployment, openDeploymentAt } from "../restore/open-deployment.ts";
import { type ExportOptions, type ExportReport, exportDeployment } from "./export-deployment.ts";

/** An export by the name of a deployment. */
interface DeployedExport extends Omit<ExportOptions, "from" | "deployment" | "now"> {
  readonly from: DeploymentName;
}

/**
 * Exports a deployment with the operator's AWS credentials.
 * @throws AdminRefused when the deployment does not exist, the directory is not empty, or AWS denies access.
 */
export function exportDeployed({ from, at, ...options }: DeployedExport): Promise<ExportReport> {
  return explainAwsErrors(async () => {
    const data = await (at === undefined ? openDeployment(from) : openDeploymentAt(from, at));
    const source = readDeployment(data, at);
    return exportDeployment({ ...options, at, from: source, deployment: from.stack, now: Date.now() });
  });
}
