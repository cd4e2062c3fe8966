import * as z from "zod";
import { CommandFailed } from "../frame/command-failed.ts";
import type { LiveEvent } from "./live-event.ts";
import { failureReason } from "./service-client.ts";

const entry = z.object({
  id: z.int(),
  received_at: z.string(),
  event_type: z.string().nullable(),
  user_id: z.string().nullable(),
  verified: z.boolean(),
});
const delivery = z.object({ headers: z.record(z.string(), z.string()), body: z.unknown() });

/**
 * Yields the webhooks that arrive in the inbox of a local service, until the service ends the stream.
 * @param onReady called once the stream is open.
 */
export async function* followInbox(baseUrl: string, onReady: () => void): AsyncGenerator<LiveEvent> {
  const response = await open(`${baseUrl}/_local/inbox/live`);
  for await (const { event, data } of parseServerEvents(response)) {
    if (event === "recent") onReady();
    if (event !== "received") continue;
    const { id, received_at: seenAt, event_type: type, user_id: userId, verified: isVerified } = entry.parse(data);
    const { headers, body } = delivery.parse(await (await open(`${baseUrl}/_local/inbox/deliveries/${id}`)).json());
    const eventId = headers["webhook-id"];
    yield { seenAt, type, userId, isVerified, body, ...(eventId === undefined ? {} : { eventId }) };
  }
  throw new CommandFailed("The service ended the stream.");
}

async function open(url: string): Promise<Response> {
  const response = await fetch(url).catch((error: unknown) => {
    throw new CommandFailed(`${url} does not respond: ${failureReason(error)}.`);
  });
  if (!response.ok) throw new CommandFailed(`${url} is not the inbox of a local service: ${response.status}.`);
  return response;
}

/** Parses server-sent events with JSON data (HTML Standard, "Server-sent events"). A closed connection ends them. */
async function* parseServerEvents({ body }: Response): AsyncGenerator<{ event: string; data: unknown }> {
  let buffered = "";
  try {
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (buffered + chunk).split("\n\n");
      buffered = blocks.pop() ?? "";
      for (const block of blocks) {
        const fields = new Map(block.split("\n").map((line) => line.split(/: (.*)/s, 2) as [string, string]));
        const data = fields.get("data");
        if (data !== undefined) yield { event: fields.get("event") ?? "message", data: JSON.parse(data) };
      }
    }
  } catch (error) {
    if (!(error instanceof TypeError && error.message === "terminated")) throw error;
  }
}
