import { readFileSync } from "node:fs";
import { callAws, runTributary, workFile } from "./command.ts";
import { runCdkAsRole } from "./deploying-role.ts";

const CONCURRENT_STACKS = 4;

/** Words of `cdk bootstrap` for the account of the emulator. */
export const BOOTSTRAP = ["bootstrap", "--app", "cdk.out", "aws://111122223333/us-east-1"];

/** A response with its parsed body. */
export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the story looks into bodies of every shape
  readonly body: any;
}

/** Runs `cdk deploy` of all stacks as the role that deploys. @param options of cdk. @returns the number of stacks that CloudFormation has. */
export async function deployAll(...options: string[]): Promise<number> {
  const words = ["deploy", "--all", "--require-approval", "never", "--concurrency", String(CONCURRENT_STACKS)];
  await runCdkAsRole(...words, "--outputs-file", workFile("outputs.json"), ...options);
  const { Stacks } = await callAws("cloudformation", "DescribeStacks");
  const own = Stacks.filter(({ StackName: name }: { StackName: string }) => name !== "CDKToolkit");
  for (const { StackName, StackStatus } of own) {
    if (!/^(CREATE|UPDATE)_COMPLETE$/.test(StackStatus)) throw new Error(`${StackName} is ${StackStatus}`);
  }
  return own.length;
}

const outputs = (): Record<string, Record<string, string>> =>
  JSON.parse(readFileSync(workFile("outputs.json"), "utf8"));

function output(stack: string, name: string): string {
  const value = outputs()[stack]?.[name];
  if (value === undefined) throw new Error(`no output ${name} of ${stack}`);
  return value;
}

/** The address of the main API of a deployment that was deployed last. @param name its name. */
export const readApiAddress = (name: string): string => output(`${name}-Api`, "Address");

/** An organisation with one team in a deployment, and requests to its APIs. */
export class Deployment {
  readonly api = output("Tributary-Api", "Address");
  readonly managementUrl = output("Tributary-Management", "Address");
  readonly orgId: string;
  readonly managementKey: string;
  teamId = "";
  key = "";

  private constructor(orgId: string, managementKey: string) {
    this.orgId = orgId;
    this.managementKey = managementKey;
  }

  /** Creates an organisation as the operator does. */
  static async create(): Promise<Deployment> {
    const { org_id, management_key } = JSON.parse(await runTributary("admin", "create-org", "--name", "First"));
    return new Deployment(org_id, management_key);
  }

  /** Creates the team and its API key. */
  async createTeam(): Promise<void> {
    this.teamId = (await this.manage("POST", "/team", { name: "Care", region: "us", features: [] })).id;
    const wish = { label: "care", team_id: this.teamId };
    this.key = (await this.manage("POST", "/team_api_keys/sandbox/us", wish)).value;
  }

  /** Calls the main API. @param headers instead of the team's key. */
  request(method: string, path: string, body?: object, headers = this.#teamHeaders()): Promise<Answer> {
    return send(method, path.startsWith("https:") ? path : `${this.api}${path}`, headers, body);
  }

  /** Calls the main API. @returns the body. @throws unless the status is 2xx. */
  async call(method: string, path: string, body?: object, headers = this.#teamHeaders()): Promise<Answer["body"]> {
    return demandSuccess(`${method} ${path}`, await this.request(method, path, body, headers));
  }

  /** Calls the management API below the organisation. */
  requestManagement(method: string, path: string, body?: object): Promise<Answer> {
    const url = `${this.managementUrl}/v1/org/${this.orgId}${path}`;
    return send(method, url, { "x-management-key": this.managementKey }, body);
  }

  /** Calls the management API below the organisation. @returns the body. @throws unless the status is 2xx. */
  async manage(method: string, path: string, body?: object): Promise<Answer["body"]> {
    return demandSuccess(`${method} ${path}`, await this.requestManagement(method, path, body));
  }

  #teamHeaders(): Record<string, string> {
    return { "x-service-api-key": this.key };
  }
}

async function send(method: string, url: string, headers: Record<string, string>, body?: object): Promise<Answer> {
  const all = { "content-type": "application/json", ...headers };
  const response = await fetch(url, { method, headers: all, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  const isJson = text !== "" && response.headers.get("content-type")?.includes("json") === true;
  return { status: response.status, body: isJson ? JSON.parse(text) : text };
}

function demandSuccess(request: string, { status, body }: Answer): Answer["body"] {
  if (status >= 300) throw new Error(`${request}: ${status} ${JSON.stringify(body)}`);
  return body;
}
