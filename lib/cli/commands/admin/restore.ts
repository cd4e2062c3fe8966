import * as z from "zod";
import { credentialsKey, dataKey, webhookSecretsKey } from "../../../contract/resources.ts";
import { declareCommand } from "../../frame/declaration.ts";
import { flag, option, text } from "../../frame/values.ts";
import { stackName, stackOption } from "./bootstrap-options.ts";

const instant = z.iso
  .datetime({ offset: true })
  .transform((value) => Date.parse(value))
  .optional();

export const restore = declareCommand({
  name: "restore",
  summary: "Restores a deployment into an empty one with another name or in another region",
  description: [
    "Nobody can use the empty deployment before the erasures are applied again.",
    "AWS_REGION is the region of the empty deployment.",
  ],
  options: {
    ...stackOption,
    from: option("<name>", "name of the deployment to restore", text),
    fromRegion: option("<region>", "its region; by default the same", z.string().optional()),
    at: option(
      "<instant>",
      "restores its tables to this instant, ISO 8601; by default they are copied as they are",
      instant,
    ),
    dataKey: option("<arn>", "KMS key DataKey of the empty deployment", text),
    webhookSecretsKey: option("<arn>", "KMS key WebhookSecretsKey of the empty deployment", text),
    credentialsKey: option("<arn>", "KMS key CredentialsKey of the empty deployment", text),
    continue: flag("continues after an interruption, in a deployment with data"),
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
      keyArns: {
        [dataKey.name]: given.dataKey,
        [webhookSecretsKey.name]: given.webhookSecretsKey,
        [credentialsKey.name]: given.credentialsKey,
      },
      isContinued: given.continue,
      onStep: (step) => session.note(step),
    });
    return { data: report };
  },
});
