import { reapplyErasures } from "../../services/erasure/reapply-erasures.ts";
import { explainAwsErrors } from "../deployed-table.ts";
import { setDeploymentEnvironment } from "../deployment-environment.ts";
import { readDeployment } from "./deployment-data.ts";
import { type DeploymentName, openDeployment, openDeploymentAt } from "./open-deployment.ts";
import { type RestoreOptions, type RestoreReport, restoreDeployment } from "./restore-deployment.ts";

/** A restore by the names of two deployments. */
interface DeployedRestore extends Pick<RestoreOptions, "isContinued" | "onStep"> {
  readonly from: DeploymentName;
  readonly to: DeploymentName;
  /** The instant to restore, epoch ms; by default the tables are copied as they are. */
  readonly at?: number | undefined;
  /** KMS keys of the deployment that receives the data, by name. */
  readonly keyArns: Readonly<Record<string, string>>;
}

/**
 * Restores a deployment with the operator's AWS credentials.
 * @throws AdminRefused when a deployment does not exist, has data, or AWS denies access.
 */
export function restoreDeployed({ from, to, at, keyArns, ...options }: DeployedRestore): Promise<RestoreReport> {
  return explainAwsErrors(async () => {
    const target = await openDeployment(to, keyArns);
    await setDeploymentEnvironment(to.stack);
    const source = await (at === undefined ? openDeployment(from) : openDeploymentAt(from, at));
    return restoreDeployment({ ...options, from: readDeployment(source, at), to: target, reapplyErasures });
  });
}
