import { createHash } from "node:crypto";
import type { AwsResponse } from "../../../lib/local/aws-proxy/aws-error.ts";
import type { IncomingRequest } from "../../../lib/local/aws-proxy/aws-request.ts";
import { ports, setPorts } from "../../../lib/runtime/ports.ts";
import type { TestService } from "../../support/service.ts";
import { sortKeys } from "../sort-keys.ts";
import { type Arrival, Arrivals } from "./arrivals.ts";
import type { CallScheduler } from "./call-scheduler.ts";
import { ScheduledPolls } from "./scheduled-polls.ts";

/** The part of an event that names its source. */
interface FunctionEvent {
  readonly rawPath?: string;
  readonly Records?: readonly { readonly eventSource?: string }[];
}

/** Stands for the address of the service in answers and events. The real port differs in each run. */
const BASE_URL = "https://api.example.com";

/** Makes everything that the functions of a service do steps of a scheduler, for the life of the service. */
export function scheduleService(service: TestService, scheduler: CallScheduler): void {
  process.env.BASE_URL = BASE_URL;
  const { host, mappings } = service.cloud;
  const arrivals = new Arrivals(scheduler);
  const invoke = host.invoke.bind(host);
  host.invoke = (name, event) =>
    arrivals.receive(arrivalOf(event as FunctionEvent), async () => {
      await host.load(name).finally(scheduler.hold());
      return scheduler.invoke(name.split(":").at(-1) ?? name, () => invoke(name, sortKeys(event)));
    });
  host.admitRequest = (request, send) =>
    scheduler.step(describeRequest(request, service), async () => toRepeatableAnswer(await send(request)));
  const { outbound } = ports();
  const scheduled: typeof outbound = (send, about) =>
    scheduler.step(`outbound ${digest(about ?? "")}`, () => outbound(send, about));
  setPorts({ ...ports(), outbound: scheduled });
  const polls = mappings.streams.map((stream) => new ScheduledPolls(stream, scheduler, arrivals));
  mappings.drainStreams = async () => {
    let records = 0;
    for (const poll of polls) records += await poll.drain();
    return records;
  };
  for (const method of ["call", "manage"] as const) {
    const send = service[method].bind(service);
    service[method] = (...request) => arrivals.send("request", () => send(...request));
  }
}

function arrivalOf({ rawPath, Records }: FunctionEvent): Arrival | undefined {
  if (rawPath !== undefined) return "request";
  return Records?.[0]?.eventSource === "aws:dynamodb" ? "stream" : undefined;
}

/** The operation and a digest of its input, without what varies between runs. */
function describeRequest({ headers, raw }: IncomingRequest, { cloud }: TestService): string {
  const token = /"ClientRequestToken":"[^"]*"/;
  const input = raw.toString("latin1").replace(token, "").replaceAll(cloud.awsProxy.origin, "");
  return `${headers["x-amz-target"]} ${digest(input)}`;
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12);

/**
 * The answer as every run gets it. The engine lists the attributes of an item in random order. It dates answers by the
 * real time, and clients that notice the difference to their own send a rejected request again.
 */
function toRepeatableAnswer({ status, headers: { date: _, ...headers }, body: received }: AwsResponse): AwsResponse {
  const body = Buffer.from(JSON.stringify(sortKeys(JSON.parse(received.toString() || "null"))));
  return { status, body, headers: { ...headers, "content-length": String(body.length) } };
}
