import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import amqp from "amqplib";
import { findFreePort } from "../../lib/local/free-port.ts";
import { loopbackCertificate, loopbackKey } from "../support/peers/loopback-certificate.ts";

const PROGRAM_FOLDER = "/usr/lib/rabbitmq/bin";
const START_TIMEOUT_MS = 60_000;

const run = promisify(execFile);

/** Debian's RabbitMQ as a child of this process, with its own ports and directory, over TCP and TLS. */
export class RabbitmqBroker {
  readonly #directory: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #ports: { readonly plain: number; readonly tls: number };
  #server: ChildProcess | undefined;

  private constructor(ports: { plain: number; tls: number; epmd: number; peers: number }) {
    this.#ports = ports;
    this.#directory = mkdtempSync(join(tmpdir(), "tributary-rabbitmq-"));
    const file = (name: string, content: string) => {
      writeFileSync(join(this.#directory, name), content);
      return join(this.#directory, name);
    };
    const [certfile, keyfile] = [file("certificate.pem", loopbackCertificate), file("key.pem", loopbackKey)];
    const settings = [
      `listeners.tcp.1 = 127.0.0.1:${ports.plain}`,
      `listeners.ssl.1 = 127.0.0.1:${ports.tls}`,
      `ssl_options.cacertfile = ${certfile}`,
      `ssl_options.certfile = ${certfile}`,
      `ssl_options.keyfile = ${keyfile}`,
      "ssl_options.verify = verify_none",
      "default_user = sender",
      "default_pass = p@ss/word",
      "auth_mechanisms.1 = PLAIN",
    ];
    this.#environment = {
      PATH: process.env.PATH,
      // The directory contains the cookie that control commands present.
      HOME: this.#directory,
      LANG: "C.UTF-8",
      RABBITMQ_NODENAME: `tributary${process.pid}@localhost`,
      RABBITMQ_MNESIA_BASE: join(this.#directory, "data"),
      RABBITMQ_LOG_BASE: join(this.#directory, "log"),
      RABBITMQ_CONFIG_FILE: file("rabbitmq.conf", `${settings.join("\n")}\n`),
      RABBITMQ_ENABLED_PLUGINS_FILE: file("enabled_plugins", "[].\n"),
      RABBITMQ_DIST_PORT: String(ports.peers),
      // A separate port mapper ends together with the broker.
      ERL_EPMD_PORT: String(ports.epmd),
      ERL_EPMD_ADDRESS: "127.0.0.1",
    };
  }

  /** @throws Error with the install command if RabbitMQ is missing. */
  static async start(): Promise<RabbitmqBroker> {
    if (!existsSync(PROGRAM_FOLDER))
      throw new Error(`Broker tests need ${PROGRAM_FOLDER} (apt-get install rabbitmq-server).`);
    const [plain, tls, epmd, peers] = await Promise.all([
      findFreePort(),
      findFreePort(),
      findFreePort(),
      findFreePort(),
    ]);
    const broker = new RabbitmqBroker({ plain, tls, epmd, peers });
    await broker.resume();
    return broker;
  }

  /** URI of the broker over TCP. */
  uri({ password = "p@ss/word", vhost = "" } = {}): string {
    return `amqp://sender:${encodeURIComponent(password)}@127.0.0.1:${this.#ports.plain}${vhost}`;
  }

  /** URI of the broker over TLS. */
  get tlsUri(): string {
    return this.uri().replace("amqp://", "amqps://").replace(`:${this.#ports.plain}`, `:${this.#ports.tls}`);
  }

  /** Starts the broker with its stored data. */
  async resume(): Promise<void> {
    this.#server = spawn(join(PROGRAM_FOLDER, "rabbitmq-server"), { env: this.#environment, stdio: "ignore" });
    const until = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      try {
        await (await amqp.connect(this.uri())).close();
        return;
      } catch (error) {
        if (Date.now() > until || this.#server.exitCode !== null) throw error;
        await wait(200);
      }
    }
  }

  /** Closes every connection, as an administrator can do. */
  async closeConnections(): Promise<void> {
    await this.#control("close_all_connections", "maintenance");
  }

  /** Counts the open connections. */
  async connections(): Promise<number> {
    const output = await this.#control("--quiet", "list_connections", "--no-table-headers", "pid");
    return output.split("\n").filter((line) => line !== "").length;
  }

  /** Stops the broker and keeps its data. */
  async pause(): Promise<void> {
    if (!this.#server) return;
    const exited = once(this.#server, "exit");
    this.#server.kill("SIGTERM");
    await exited;
    this.#server = undefined;
  }

  async stop(): Promise<void> {
    await this.pause();
    await run("epmd", ["-kill"], { env: this.#environment });
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #control(...command: string[]): Promise<string> {
    const { stdout } = await run(join(PROGRAM_FOLDER, "rabbitmqctl"), command, { env: this.#environment });
    return stdout;
  }
}
