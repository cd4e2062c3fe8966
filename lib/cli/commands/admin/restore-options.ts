import * as z from "zod";
import { credentialsKey, dataKey, webhookSecretsKey } from "../../../contract/resources.ts";
import { flag, option, text } from "../../frame/values.ts";
import { stackOption } from "./bootstrap-options.ts";

const instant = z.iso
  .datetime({ offset: true })
  .transform((value) => Date.parse(value))
  .optional();

/** Option of the instant that a command reads. */
export const instantOption = (words: string) => ({ at: option("<instant>", words, instant) });

/** Options of the deployment that receives data. */
export const targetOptions = {
  ...stackOption,
  dataKey: option("<arn>", "KMS key DataKey of the empty deployment", text),
  webhookSecretsKey: option("<arn>", "KMS key WebhookSecretsKey of the empty deployment", text),
  credentialsKey: option("<arn>", "KMS key CredentialsKey of the empty deployment", text),
  continue: flag("continues after an interruption, in a deployment with data"),
};

/** The KMS keys of {@link targetOptions}, by name. */
export const keyArnsOf = (
  given: Readonly<Record<"dataKey" | "webhookSecretsKey" | "credentialsKey", string>>,
): Readonly<Record<string, string>> => ({
  [dataKey.name]: given.dataKey,
  [webhookSecretsKey.name]: given.webhookSecretsKey,
  [credentialsKey.name]: given.credentialsKey,
});
