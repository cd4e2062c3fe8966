import * as z from "zod";
import { declareCommand } from "../../frame/declaration.ts";
import { option, text } from "../../frame/values.ts";
import { stackName } from "./bootstrap-options.ts";
import { instantOption, keyArnsOf, targetOptions } from "./restore-options.ts";

export const restore = declareCommand({
  name: "restore",
  summary: "Restores a deployment into an empty one with another name or in another region",
  description: [
    "Nobody can use the empty deployment before the erasures are applied again.",
    "AWS_REGION is the region of the empty deployment.",
  ],
  options: {
    from: option("<name>", "name of the deployment to restore", text),
    fromRegion: option("<region>", "its region; by default the same", z.string().optional()),
    ...instantOption("restores its tables to this instant, ISO 8601; by default they are copied as they are"),
    ...targetOptions,
  },
  examples: [
    [
      "admin restore --from Tributary --stack Restored --at 2026-05-01T08:00:00Z --data-key arn:... --webhook-secrets-key arn:... --credentials-key arn:...",
      "restores all data of 8:00",
    ],
  ],
  json: "always",
  failurePrefix: "Not done",
  run: async (given, session) => {
    const { restoreDeployed } = await import("../../../start/restore/restore-deployed.ts");
    const report = await restoreDeployed({
      from: { stack: given.from, region: given.fromRegion },
      to: { stack: stackName(given.stack) },
      at: given.at,
      keyArns: keyArnsOf(given),
      isContinued: given.continue,
      onStep: (step) => session.note(step),
    });
    return { data: report };
  },
});
