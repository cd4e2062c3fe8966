import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { teamName } from "../lib/domain/identity.ts";
import { StartRefused } from "../lib/local/start-refused.ts";
import { planOrg, writeManagementKey, writeOrg } from "../lib/runtime/bootstrap.ts";
import { reapplyErasures } from "../lib/runtime/erasure/reapplying.ts";
import { AdminRefused } from "../lib/start/admin-refused.ts";
import { deployedDirectory, explained } from "../lib/start/deployed-directory.ts";
import { enterDeployment } from "../lib/start/deployed-places.ts";
import { anchorsInFile, verifyDeployed, verifyLocal } from "../lib/start/verify-audit.ts";

const USAGE = `Usage: npm run admin -- create-org --name <name> [--stack <name>]
       npm run admin -- create-management-key --org <id> [--stack <name>]
       npm run admin -- reapply-erasures [--stack <name>]
       npm run admin -- verify-audit [--stack <name> | --data <directory>] [--anchors <file>]

Creates an organization, or one more management key for it, in a deployed service; or erases again whom a restored
backup has brought back, before the service is used again; or computes the seals of the audit and access logs anew, also
against a file of log lines of sealAccessLog, and ends with 1 where one does not hold. It works with your own AWS
credentials and region; the stack is by default that of cdk.json, and --data names the data of a service that was run on
this machine and is stopped. Keys are printed once and kept nowhere in clear.`;

type Values = Partial<Record<"name" | "org" | "stack" | "data" | "anchors", string>>;

function parsed() {
  const text = { type: "string" } as const;
  const help = { type: "boolean", short: "h" } as const;
  const options = { name: text, org: text, stack: text, data: text, anchors: text, help };
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new AdminRefused(error instanceof Error ? error.message : String(error));
  }
}

function given(values: Values, option: keyof Values): string {
  const value = values[option];
  if (value === undefined) throw new AdminRefused(`give --${option}`);
  return value;
}

/** The name of the deployment that cdk.json describes. */
const configuredStack = (): string => JSON.parse(readFileSync("cdk.json", "utf8")).context.name;

const options = (name: string) => ({
  name,
  now: new Date().toISOString(),
  uuid: () => randomUUID(),
  bytes: (length: number) => randomBytes(length),
});

async function createOrg(values: Values) {
  const name = teamName.safeParse(given(values, "name"));
  if (!name.success) throw new AdminRefused("--name has at most 80 letters, digits, spaces and ( ) , / : ' | & _ -");
  const planned = planOrg(options(name.data));
  const directory = await deployedDirectory(values.stack ?? configuredStack());
  await explained(() => writeOrg(directory, planned, options(name.data)));
  return planned;
}

async function createManagementKey(values: Values) {
  const planned = { ...planOrg(options("")), org_id: given(values, "org").toLowerCase() };
  const directory = await deployedDirectory(values.stack ?? configuredStack());
  const isWritten = await explained(() => writeManagementKey(directory, planned, options("")));
  if (!isWritten) throw new AdminRefused("there is no organization with this id");
  return planned;
}

async function eraseAgain(values: Values) {
  await explained(() => enterDeployment(values.stack ?? configuredStack()));
  return explained(() => reapplyErasures());
}

async function verifyAudit({ stack, data, anchors }: Values) {
  const given = anchors === undefined ? [] : anchorsInFile(anchors);
  const found = await (data ? verifyLocal(data, given) : verifyDeployed(stack ?? configuredStack(), given));
  if (!found.isWhole) process.exitCode = 1;
  return found;
}

const commands: Readonly<Record<string, (values: Values) => Promise<object>>> = {
  "create-org": createOrg,
  "create-management-key": createManagementKey,
  "reapply-erasures": eraseAgain,
  "verify-audit": verifyAudit,
};

async function admin(): Promise<void> {
  const { values, positionals } = parsed();
  const { help, ...rest } = values;
  const command = commands[positionals.join(" ")];
  if (help || !command) {
    console.log(USAGE);
    process.exitCode = help ? 0 : 1;
    return;
  }
  console.log(JSON.stringify(await command(rest), null, 2));
}

admin().catch((error) => {
  console.error(error instanceof AdminRefused || error instanceof StartRefused ? `Not done: ${error.message}` : error);
  process.exitCode = 1;
});
