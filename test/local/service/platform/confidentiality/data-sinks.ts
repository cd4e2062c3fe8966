import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { globSync, readFileSync } from "node:fs";
import { buildLocally } from "../../../../../lib/build/local-build.ts";
import { REQUEST_CHANNEL } from "../../../../../lib/local/aws-proxy/aws-proxy.ts";
import { type IncomingRequest, toAwsRequest } from "../../../../../lib/local/aws-proxy/aws-request.ts";
import type { TestService } from "../../../../support/service.ts";
import { itemText, scanAllItems } from "../../support/search-stored-data.ts";

/** A data flow out of the service, and the text written to it. */
export interface Sink {
  readonly name: string;
  readonly text: string;
}

/** Queues that are declared to carry request content; see lib/contract/erasure/resource-inventory.ts. */
const QUEUES_WITH_CONTENT = /Queueingestion(DeadLetters)?Queue/;

/** Records all messages of functions to queues, the event bus and the state machine, whatever their delivery. */
export class SinkWatch {
  readonly #sinks: Sink[] = [];
  readonly #service: TestService;

  constructor(service: TestService) {
    this.#service = service;
    subscribe(REQUEST_CHANNEL, this.#onRequest);
  }

  /** Stops recording. @returns the text written to each sink, including the messages that wait now. */
  async stop(): Promise<Sink[]> {
    unsubscribe(REQUEST_CHANNEL, this.#onRequest);
    const letters = await receiveAllMessages(this.#service);
    return [...this.#sinks, ...readLog(this.#service), ...letters, ...(await readAssembly())];
  }

  readonly #onRequest = (message: unknown): void => {
    const arrived = message as IncomingRequest;
    const { service, operation, body } = toAwsRequest(arrived);
    const isContent = QUEUES_WITH_CONTENT.test(String(body.QueueUrl ?? ""));
    if (["sqs", "events", "states"].includes(service) && !isContent) {
      this.#sinks.push({ name: `${service} ${operation}`, text: arrived.raw.toString("latin1") });
    }
  };
}

const readLog = ({ data }: TestService): Sink[] => [
  { name: "log", text: readFileSync(data.file("functions.log"), "latin1") },
];

/** Receives all messages that remain in queues, including dead letters. */
async function receiveAllMessages({ cloud }: TestService): Promise<Sink[]> {
  const letters: Sink[] = [];
  for (const { url, name } of cloud.queues.queues().filter((queue) => !QUEUES_WITH_CONTENT.test(queue.name))) {
    for (;;) {
      const some = await cloud.queues.receive(url, { max: 10 });
      if (some.length === 0) break;
      letters.push(...some.map((letter) => ({ name: `queue ${name}`, text: JSON.stringify(letter) })));
    }
  }
  return letters;
}

/** Reads the synthesized app: templates, asset manifests and the manifest of the assembly. */
async function readAssembly(): Promise<Sink[]> {
  const { assemblyDirectory } = await buildLocally();
  const files = globSync(`${assemblyDirectory}/*.json`);
  return files.map((file) => ({ name: "assembly", text: readFileSync(file, "latin1") }));
}

/** Yields every unpacked item of the tables as a sink named after its table. */
export async function* listItemSinks(service: TestService): AsyncGenerator<Sink & { readonly key: string }> {
  for await (const raw of scanAllItems(service)) {
    const [, table = ""] = /Data-Table([a-z]+)/.exec(raw.table) ?? [];
    yield { name: `table ${table}`, key: raw.item.pk, text: itemText(raw) };
  }
}

/** Returns the encodings of a text: JSON escapes, percent encoding, base64 and hexadecimal. */
export function encodingsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const escaped = [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  const percent = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  // At each of the three offsets within a base64 group, without the characters shared with neighbours.
  const coded = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    return whole.slice(before === 0 ? 0 : before + 1, -1);
  });
  const urlSafe = coded.map((one) => one.replaceAll("+", "-").replaceAll("/", "_"));
  return [...new Set([text, encodeURIComponent(text), escaped, percent, bytes.toString("hex"), ...coded, ...urlSafe])];
}

/** Returns the searched values in a sink, in any encoding. */
export function findLeaks({ name, text }: Sink, wanted: ReadonlyMap<string, readonly string[]>): string[] {
  const lower = text.toLowerCase();
  const isIn = (form: string) => text.includes(form) || lower.includes(form.toLowerCase());
  return [...wanted].flatMap(([what, forms]) => (forms.some(isIn) ? [`${name}: ${what}`] : []));
}
