// @module-tag deep
import { join } from "node:path";
import { readDeployment } from "../../../lib/start/restore/deployment-data.ts";
import { serveCopy } from "./deployment-copy.ts";
import { testRestoredDeployment } from "./test-restored-deployment.ts";

testRestoredDeployment(async ({ assembly, directory, latest, outlives }) => {
  const copy = await serveCopy(assembly, { directory, latest, keyFile: join(outlives, "kms.key") });
  return { source: readDeployment(copy.data), close: copy.stop };
});
