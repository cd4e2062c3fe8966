import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import * as z from "zod";
import { option } from "../../frame/values.ts";

/** Option of every admin command: which deployment it administers. */
export const stackOption = {
  stack: option("<name>", "name of the deployment; by default the name in cdk.json", z.string().optional()),
};

/** Name of the deployment: the given one, else that of cdk.json. */
export const stackName = (given: string | undefined): string =>
  given ?? JSON.parse(readFileSync("cdk.json", "utf8")).context.name;

/** Clock and randomness of a new organisation with this name. */
export const createBootstrapOptions = (name: string) => ({
  name,
  now: new Date().toISOString(),
  uuid: () => randomUUID(),
  bytes: (length: number) => randomBytes(length),
});
