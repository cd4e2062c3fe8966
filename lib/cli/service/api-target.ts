import * as z from "zod";
import { CommandFailed, UsageRefused } from "../frame/command-failed.ts";
import { readVariable } from "../frame/read-variable.ts";
import { address, option } from "../frame/values.ts";
import { readLocalFile } from "./local-file.ts";

/** Options of commands that call the main API. */
export const apiOptions = {
  url: option("<address>", "address of the service; TRIBUTARY_URL or the local service by default", address.optional()),
  key: option("<API key>", "API key; TRIBUTARY_API_KEY or that of the local service by default", z.string().optional()),
};

/** Option of commands for one user. */
export const userOption = {
  user: option("<id>", "id of the user; the demo user of the local service by default", z.string().optional()),
};

/** A service and its key. */
export interface ApiTarget {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

type Given<Options extends Readonly<Record<string, unknown>>> = {
  readonly [Name in keyof Options]: string | undefined;
};

/** The service of the options, of the environment, or of `npm start`, in this order. @throws CommandFailed if none is known. */
export function resolveApi({ url, key }: Given<typeof apiOptions>): ApiTarget {
  const local = readLocalFile();
  const baseUrl = url ?? readVariable("TRIBUTARY_URL") ?? local?.base_url;
  const apiKey = key ?? readVariable("TRIBUTARY_API_KEY") ?? local?.api_key;
  if (!baseUrl || !apiKey)
    throw new CommandFailed("No local service is running: run npm start, or set --url and --key.");
  const parsed = address.safeParse(baseUrl);
  if (!parsed.success) throw new UsageRefused(`TRIBUTARY_URL ${parsed.error.issues[0]?.message}`);
  return { baseUrl: parsed.data, apiKey };
}

/** The given user, else the demo user of the local service. @throws CommandFailed if neither is known. */
export function resolveUser(user: string | undefined): string {
  const known = user ?? readLocalFile()?.demo_user_id;
  if (!known) throw new CommandFailed("The user is missing: set --user <id>.");
  return known;
}
