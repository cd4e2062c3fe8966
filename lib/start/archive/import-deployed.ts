import type { JWK } from "jose";
import { erasureTable } from "../../contract/resources.ts";
import { reapplyErasures } from "../../services/erasure/reapply-erasures.ts";
import { explainAwsErrors } from "../deployed-table.ts";
import { setDeploymentEnvironment } from "../deployment-environment.ts";
import type { DeploymentSource } from "../restore/deployment-data.ts";
import { type DeploymentName, openDeployment } from "../restore/open-deployment.ts";
import { type RestoreOptions, type RestoreReport, restoreDeployment } from "../restore/restore-deployment.ts";
import { openArchive } from "./open-archive.ts";

/** Archives on the operator's disk. */
interface ArchivePlace {
  readonly directory: string;
  /** Private key of their recipient. */
  readonly identity: JWK;
  /** An archive of the list of erasures that was made later. */
  readonly erasures?: string | undefined;
}

/** An import by the name of the deployment that receives the data. */
interface DeployedImport extends ArchivePlace, Pick<RestoreOptions, "isContinued" | "onStep"> {
  readonly to: DeploymentName;
  /** KMS keys of the deployment, by name. */
  readonly keyArns: Readonly<Record<string, string>>;
}

/**
 * Imports an archive into a deployment with the operator's AWS credentials.
 * @throws AdminRefused before the first write when the archive is incomplete or damaged, or the deployment has data.
 */
export function importDeployed({
  to,
  keyArns,
  directory,
  identity,
  erasures,
  ...options
}: DeployedImport): Promise<RestoreReport> {
  return explainAwsErrors(async () => {
    const from = await openForRestore({ directory, identity, erasures });
    const target = await openDeployment(to, keyArns);
    await setDeploymentEnvironment(to.stack);
    return restoreDeployment({ ...options, from, to: target, reapplyErasures });
  });
}

/** Opens an archive, with the list of erasures of a later one. @throws AdminRefused as {@link openArchive}. */
export async function openForRestore({ directory, identity, erasures }: ArchivePlace): Promise<DeploymentSource> {
  const { source } = await openArchive(directory, identity, "deployment");
  if (erasures === undefined) return source;
  const later = (await openArchive(erasures, identity, "erasures")).source;
  return { ...source, items: (table) => (table === erasureTable ? later : source).items(table) };
}
