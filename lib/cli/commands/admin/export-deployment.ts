import { declareCommand } from "../../frame/declaration.ts";
import { flag, option, path } from "../../frame/values.ts";
import { stackName, stackOption } from "./bootstrap-options.ts";
import { instantOption } from "./restore-options.ts";

export const exportDeployment = declareCommand({
  name: "export-deployment",
  summary: "Writes all data of a deployment to an encrypted archive",
  description: ["Only the holder of the recipient's private key can read the archive."],
  options: {
    ...stackOption,
    to: option("<directory>", "a new or empty directory", path),
    recipient: option("<file>", "public key of who may read the archive", path),
    ...instantOption("exports its tables as of this instant, ISO 8601; by default as they are"),
    erasuresOnly: flag("exports the list of erasures alone, for the import of an earlier archive"),
  },
  examples: [
    [
      "admin export-deployment --to archive --recipient recipient.jwk --at 2026-05-01T08:00:00Z",
      "exports all data of 8:00",
    ],
  ],
  json: "always",
  failurePrefix: "Not done",
  run: async (given, session) => {
    const { exportDeployed } = await import("../../../start/archive/export-deployed.ts");
    const { readKeyFile } = await import("./key-file.ts");
    const report = await exportDeployed({
      from: { stack: stackName(given.stack) },
      directory: given.to,
      recipient: readKeyFile(given.recipient),
      at: given.at,
      scope: given.erasuresOnly ? "erasures" : "deployment",
      onStep: (step) => session.note(step),
    });
    return { data: report };
  },
});
