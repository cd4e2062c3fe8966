import { declareCommand } from "../../frame/declaration.ts";
import { option, path } from "../../frame/values.ts";
import { stackName } from "./bootstrap-options.ts";
import { keyArnsOf, targetOptions } from "./restore-options.ts";

export const importDeployment = declareCommand({
  name: "import-deployment",
  summary: "Imports an archive into an empty deployment, in any account, region and with any name",
  description: [
    "It verifies the whole archive before it writes anything.",
    "Nobody can use the deployment before the erasures are applied again.",
  ],
  options: {
    archive: option("<directory>", "the archive", path),
    identity: option("<file>", "private key of its recipient", path),
    erasures: option("<directory>", "a later archive of the list of erasures", path.optional()),
    ...targetOptions,
  },
  examples: [
    [
      "admin import-deployment --archive archive --identity identity.jwk --stack Moved --data-key arn:... --webhook-secrets-key arn:... --credentials-key arn:...",
      "imports all data",
    ],
  ],
  json: "always",
  failurePrefix: "Not done",
  run: async (given, session) => {
    const { importDeployed } = await import("../../../start/archive/import-deployed.ts");
    const { readKeyFile } = await import("./key-file.ts");
    const report = await importDeployed({
      directory: given.archive,
      identity: readKeyFile(given.identity),
      erasures: given.erasures,
      to: { stack: stackName(given.stack) },
      keyArns: keyArnsOf(given),
      isContinued: given.continue,
      onStep: (step) => session.note(step),
    });
    return { data: report };
  },
});
