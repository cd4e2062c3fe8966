import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "../../lib/local/free-port.ts";
import { type LocalJson, StartedProcess } from "../local/service/platform/local-run/started-process.ts";

/** Capacity units and requests since the last reset of the meter, in total and by table. */
export interface MeterReading {
  readonly total: TableUnits;
  readonly tables: Readonly<Record<string, Readonly<Record<string, TableUnits>>>>;
}
interface TableUnits {
  readonly requests: number;
  readonly read_units: number;
  readonly write_units: number;
}

/** The service as `npm start` runs it, in its own process, and a client for it. */
export class RunningService {
  readonly #process: StartedProcess;
  readonly #local: LocalJson;
  readonly #directory: string;

  private constructor(process: StartedProcess, local: LocalJson, directory: string) {
    this.#process = process;
    this.#local = local;
    this.#directory = directory;
  }

  static async start(): Promise<RunningService> {
    const directory = mkdtempSync(join(tmpdir(), "tributary-bench-"));
    const process = new StartedProcess({ directory, port: await findFreePort(), managementPort: await findFreePort() });
    return new RunningService(process, await process.ready(), directory);
  }

  // biome-ignore lint/suspicious/noExplicitAny: the bench looks into bodies of every shape
  async call(method: string, path: string, body?: unknown): Promise<any> {
    const response = await fetch(`${this.#local.base_url}${path}`, {
      method,
      headers: { "x-service-api-key": this.#local.api_key, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return text ? JSON.parse(text) : undefined;
  }

  async createUser(name: string): Promise<string> {
    return (await this.call("POST", "/v2/user", { client_user_id: name })).user_id;
  }

  /** Creates a webhook endpoint of the first team. */
  async createWebhook(url: string): Promise<void> {
    await this.#manage("sandbox/webhook", { url });
  }

  /** Returns the address of a place in the console, with a ticket that signs in once. */
  async consoleAddress(place: string): Promise<string> {
    const { ticket } = await this.#manage("console_ticket", { role: "admin", name: "Bench" });
    return `${this.#local.base_url}/console${place}&ticket=${ticket}`;
  }

  /** Posts to a management path of the first team. */
  // biome-ignore lint/suspicious/noExplicitAny: see call
  async #manage(path: string, body: object): Promise<any> {
    const { management_url, management_key, org_id, team_id } = this.#local;
    const response = await fetch(`${management_url}/v1/org/${org_id}/team/${team_id}/${path}`, {
      method: "POST",
      headers: { "x-management-key": management_key, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  /** Runs `work` and waits until the service is idle. @returns the service's use of DynamoDB meanwhile. */
  async measureUnits(work: () => Promise<unknown>): Promise<MeterReading> {
    await this.call("POST", "/_local/settle");
    await this.call("DELETE", "/_local/meter");
    await work();
    await this.call("POST", "/_local/settle");
    return this.call("GET", "/_local/meter");
  }

  async stop(): Promise<void> {
    await this.#process.kill("SIGTERM");
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** Units of one table, by its name in lib/contract/resources.ts. */
export function tableUnits({ tables }: MeterReading, table: string): TableUnits {
  const [, operations = {}] = Object.entries(tables).find(([name]) => name.toLowerCase().includes(table)) ?? [];
  const sum = (of: (units: TableUnits) => number) =>
    Object.values(operations).reduce((total, units) => total + of(units), 0);
  return {
    requests: sum((units) => units.requests),
    read_units: sum((units) => units.read_units),
    write_units: sum((units) => units.write_units),
  };
}
