import { readFileSync } from "node:fs";
import * as z from "zod";
import { CommandFailed, UsageRefused } from "../frame/command-failed.ts";
import { declareCommand } from "../frame/declaration.ts";
import { argument, flag, instant, option, path, text } from "../frame/values.ts";
import { apiOptions, resolveApi, resolveUser, userOption } from "../service/api-target.ts";

const number = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/, "must be a number")
  .transform(Number);

export const send = declareCommand({
  name: "send",
  summary: "Sends a sample or a JSON file to a user and prints the receipt",
  description: [
    "Without a file, sends one sample of a resource that has a timestamp and a value.",
    "A file holds the body of POST /v2/ingest/{user_id}, with provider and resources.",
  ],
  args: { file: argument("[file.json]", "body of the request", path.optional()) },
  options: {
    resource: option("<name>", "resource of the sample; heartrate by default", text.optional()),
    value: option("<number>", "value of the sample; 61 by default", number.optional()),
    at: option("<instant>", "timestamp of the sample; now by default", instant.optional()),
    provider: option("<slug>", "provider of the sample; apple_health_kit by default", text.optional()),
    sourceType: option("<type>", "source type of the sample; watch by default", text.optional()),
    wait: flag("wait until the records are stored, and print the final receipt"),
    ...userOption,
    ...apiOptions,
  },
  examples: [
    ["send", "one heart rate for the demo user of npm start"],
    ["send --resource glucose --value 5.4 --at 2026-05-01T08:00:00Z", "another sample"],
    ["send batch.json --user <user id> --wait", "a file"],
  ],
  json: "option",
  run: async ({ file, user, wait, url, key, ...sample }, session) => {
    if (file !== undefined && Object.values(sample).some((given) => given !== undefined))
      throw new UsageRefused("a file and options of a sample exclude each other");
    const { formatReceipt, sendBatch } = await import("../service/send-batch.ts");
    const body = file === undefined ? composeSample(sample) : readBody(file);
    const receipt = await sendBatch(resolveApi({ url, key }), resolveUser(user), body, wait);
    session.print(formatReceipt(receipt));
    return { data: receipt, isOk: receipt.rejected.every(({ effect }) => effect !== "record_rejected") };
  },
});

type Sample = Readonly<Partial<Record<"resource" | "at" | "provider" | "sourceType", string>>> & { value?: number };
type GivenSample = { readonly [Name in keyof Sample]: Sample[Name] | undefined };

function composeSample({ resource = "heartrate", value = 61, at, provider, sourceType }: GivenSample): string {
  const sample = { timestamp: at ?? new Date().toISOString(), value };
  const source = { provider: provider ?? "apple_health_kit", source_type: sourceType ?? "watch" };
  return JSON.stringify({ ...source, resources: { [resource]: [sample] } });
}

/** @throws CommandFailed if the file is no JSON. */
function readBody(file: string): string {
  const body = readFileSync(file, "utf8");
  try {
    JSON.parse(body);
    return body;
  } catch (error) {
    throw new CommandFailed(`${file} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}
