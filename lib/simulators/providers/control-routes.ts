import * as z from "zod";
import { DAY_MS } from "../../domain/shared/durations.ts";
import {
  parseJsonObject,
  type RecordedRequest,
  type SimulatedReply,
  type SimulatedRequest,
} from "./base/simulated-http.ts";
import type { DataChange, SimulatedProvider } from "./base/simulated-provider.ts";
import { switches } from "./base/switches.ts";

const account = z.string().regex(/^[a-z0-9-]{1,40}$/);
const ofAccount = z.strictObject({ account });
const dataChange: z.ZodType<DataChange> = z.strictObject({
  account,
  kind: z.string(),
  date: z.iso.date(),
  change: z.enum(["create", "update", "delete"]),
});
const webhook = z.strictObject({ url: z.url(), kind: z.string().default("") });
const days = z.object({ account, from: z.iso.date(), to: z.iso.date() });
const partialSwitches = z.strictObject({
  revision: switches.shape.revision.unwrap().optional(),
  duplicates: switches.shape.duplicates.unwrap().optional(),
  clock_skew_ms: switches.shape.clock_skew_ms.unwrap().optional(),
  lost_pushes: switches.shape.lost_pushes.unwrap().optional(),
  rate_limited: switches.shape.rate_limited.unwrap().optional(),
});

/** The server that the control routes inspect and control. */
interface ControlledServer {
  readonly requests: readonly RecordedRequest[];
  readonly slugs: readonly string[];
  /** Returns a simulated provider. @throws Error for an unknown slug. */
  provider(slug: string): SimulatedProvider;
}

type ControlHandler = (provider: SimulatedProvider, request: SimulatedRequest) => unknown;

/** Control routes for tests below `/_simulator/{slug}/`. */
const controls: Readonly<Record<string, ControlHandler>> = {
  "GET switches": (provider) => provider.switches,
  "POST switches": (provider, request) => {
    const given = Object.entries(partialSwitches.parse(parseJsonObject(request))).filter(
      ([, value]) => value !== undefined,
    );
    provider.setSwitches(Object.fromEntries(given));
    return provider.switches;
  },
  "POST expire-tokens": (provider) => {
    provider.tokens.expireAccessTokens();
    return {};
  },
  "POST revoke": (provider, request) => {
    provider.tokens.revoke(ofAccount.parse(parseJsonObject(request)).account);
    return {};
  },
  "POST webhook": (provider, request) => provider.setWebhook(webhook.parse(parseJsonObject(request))),
  "POST push": async (provider, request) => ({
    attempts: await provider.notify(dataChange.parse(parseJsonObject(request))),
  }),
  "GET pushes": (provider) => ({ attempts: provider.pushSender.attempts }),
  "GET truth": (provider, { query }) => {
    const { account: name, from, to } = days.parse(Object.fromEntries(query));
    const noon = DAY_MS / 2;
    return provider.expectedRecords(name, Date.parse(from) + noon, Date.parse(to) + noon);
  },
};

/** Handles a request to the control routes. */
export async function handleControlRequest(
  server: ControlledServer,
  request: SimulatedRequest,
): Promise<SimulatedReply> {
  const [, slug = "", name = ""] = request.path.split("/");
  if (request.method === "GET" && slug === "requests") {
    return { status: 200, body: { requests: server.requests.map(toWireRequest) } };
  }
  if (request.method === "GET" && slug === "") return { status: 200, body: { providers: server.slugs } };
  const control = controls[`${request.method} ${name}`];
  if (!control || !server.slugs.includes(slug)) return { status: 404, body: { error: "no such control" } };
  try {
    return { status: 200, body: await control(server.provider(slug), request) };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    return { status: 422, body: { error: z.prettifyError(error) } };
  }
}

function toWireRequest({ query, ...request }: RecordedRequest) {
  return { ...request, query: Object.fromEntries(query) };
}
