import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { directoryTable, labTable } from "../lib/contract/resources.ts";
import { labAccountStatus, labAccountStatuses } from "../lib/domain/lab-tests/lab-account.ts";
import { teamName } from "../lib/domain/management/records.ts";
import { StartRefused } from "../lib/local/start-refused.ts";
import { reapplyErasures } from "../lib/services/erasure/reapply-erasures.ts";
import { planOrg, writeManagementKey, writeOrg } from "../lib/services/management/bootstrap.ts";
import { AdminRefused } from "../lib/start/admin-refused.ts";
import { explainAwsErrors, openDeployedTable } from "../lib/start/deployed-table.ts";
import { setDeploymentEnvironment } from "../lib/start/deployment-environment.ts";
import { readAnchorFile, verifyDeployed, verifyLocal } from "../lib/start/verify-audit.ts";
import { ConditionFailed } from "../lib/store/condition-failed.ts";
import { LabAccountStore } from "../lib/store/lab-tests/lab-accounts.ts";

const USAGE = `Usage: npm run admin -- create-org --name <name> [--stack <name>]
       npm run admin -- create-management-key --org <id> [--stack <name>]
       npm run admin -- set-lab-account --org <id> --account <id> --status <status> [--stack <name>]
       npm run admin -- reapply-erasures [--stack <name>]
       npm run admin -- verify-audit [--stack <name> | --data <directory>] [--anchors <file>]

Administers a deployed service with your AWS credentials and region.

create-org             Creates an organization with its first management key.
create-management-key  Creates another management key for an organization.
set-lab-account        Sets the status of an organization's lab account, which decides whether orders can use it: active,
                       pending, suspended or ready_to_launch.
reapply-erasures       Erases the users again that a restored backup contains. Run it before the service is used again.
verify-audit           Verifies the seals of the audit and access logs, also against the anchors in a file of log lines of
                       sealAccessLog. The exit code is 1 when a seal does not match.

--stack  name of the deployment; by default the name in cdk.json
--data   data directory of a stopped local service

Keys are printed once. The service stores only their hashes.`;

const textOptions = ["name", "org", "account", "status", "stack", "data", "anchors"] as const;
type OptionValues = Partial<Record<(typeof textOptions)[number], string>>;

function parseArguments() {
  const options = Object.fromEntries(textOptions.map((name) => [name, { type: "string" } as const]));
  const help = { type: "boolean", short: "h" } as const;
  try {
    return parseArgs({ options: { ...options, help }, allowPositionals: true });
  } catch (error) {
    throw new AdminRefused(error instanceof Error ? error.message : String(error));
  }
}

function requireOption(values: OptionValues, option: keyof OptionValues): string {
  const value = values[option];
  if (value === undefined) throw new AdminRefused(`the option --${option} is required`);
  return value;
}

/** Name of the deployment in cdk.json. */
const configuredStack = (): string => JSON.parse(readFileSync("cdk.json", "utf8")).context.name;

const createOptions = (name: string) => ({
  name,
  now: new Date().toISOString(),
  uuid: () => randomUUID(),
  bytes: (length: number) => randomBytes(length),
});

async function createOrg(values: OptionValues) {
  const name = teamName.safeParse(requireOption(values, "name"));
  if (!name.success)
    throw new AdminRefused("--name must have at most 80 characters: letters, digits, spaces and ( ) , / : ' | & _ -");
  const planned = planOrg(createOptions(name.data));
  const table = await openDeployedTable(values.stack ?? configuredStack(), directoryTable);
  await explainAwsErrors(() => writeOrg(table, planned, createOptions(name.data)));
  return planned;
}

async function createManagementKey(values: OptionValues) {
  const planned = { ...planOrg(createOptions("")), org_id: requireOption(values, "org").toLowerCase() };
  const table = await openDeployedTable(values.stack ?? configuredStack(), directoryTable);
  const isWritten = await explainAwsErrors(() => writeManagementKey(table, planned, createOptions("")));
  if (!isWritten) throw new AdminRefused("the organization does not exist");
  return planned;
}

async function setLabAccount(values: OptionValues) {
  const status = labAccountStatus.safeParse(requireOption(values, "status"));
  if (!status.success) throw new AdminRefused(`--status must be one of ${labAccountStatuses.join(", ")}`);
  const [org, account] = [requireOption(values, "org").toLowerCase(), requireOption(values, "account").toLowerCase()];
  const accounts = new LabAccountStore(await openDeployedTable(values.stack ?? configuredStack(), labTable));
  return explainAwsErrors(() => accounts.update(org, account, { status: status.data })).catch((error) => {
    throw error instanceof ConditionFailed ? new AdminRefused("the organization has no such lab account") : error;
  });
}

async function runReapplyErasures(values: OptionValues) {
  await explainAwsErrors(() => setDeploymentEnvironment(values.stack ?? configuredStack()));
  return explainAwsErrors(() => reapplyErasures());
}

async function verifyAudit({ stack, data, anchors }: OptionValues) {
  const given = anchors === undefined ? [] : readAnchorFile(anchors);
  const found = await (data ? verifyLocal(data, given) : verifyDeployed(stack ?? configuredStack(), given));
  if (!found.isWhole) process.exitCode = 1;
  return found;
}

const commands: Readonly<Record<string, (values: OptionValues) => Promise<object>>> = {
  "create-org": createOrg,
  "create-management-key": createManagementKey,
  "set-lab-account": setLabAccount,
  "reapply-erasures": runReapplyErasures,
  "verify-audit": verifyAudit,
};

async function admin(): Promise<void> {
  const { values, positionals } = parseArguments();
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
