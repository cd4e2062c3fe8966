import * as z from "zod";
import { DAY_MS } from "../demo/zone-days.ts";
import type { DataChange, ProviderDesk } from "./frame/provider-desk.ts";
import { jsonOf, type SimulatedReply, type SimulatedRequest } from "./frame/simulated-http.ts";
import { switches } from "./frame/switches.ts";
import type { ProviderServer } from "./provider-server.ts";

const account = z.string().regex(/^[a-z0-9-]{1,40}$/);
const ofAccount = z.strictObject({ account });
const change: z.ZodType<DataChange> = z.strictObject({
  account,
  kind: z.string(),
  date: z.iso.date(),
  change: z.enum(["create", "update", "delete"]),
});
const webhook = z.strictObject({ url: z.url(), kind: z.string().default("") });
const days = z.object({ account, from: z.iso.date(), to: z.iso.date() });
const someSwitches = z.strictObject({
  revision: switches.shape.revision.unwrap().optional(),
  duplicates: switches.shape.duplicates.unwrap().optional(),
  clock_skew_ms: switches.shape.clock_skew_ms.unwrap().optional(),
  lost_pushes: switches.shape.lost_pushes.unwrap().optional(),
  rate_limited: switches.shape.rate_limited.unwrap().optional(),
});

type Control = (desk: ProviderDesk, request: SimulatedRequest) => unknown;

/** Control routes for tests below `/_simulator/{slug}/`. */
const controls: Readonly<Record<string, Control>> = {
  "GET switches": (desk) => desk.switches,
  "POST switches": (desk, request) => {
    const given = Object.entries(someSwitches.parse(jsonOf(request))).filter(([, value]) => value !== undefined);
    desk.switch(Object.fromEntries(given));
    return desk.switches;
  },
  "POST expire-tokens": (desk) => {
    desk.tokens.expireAccess();
    return {};
  },
  "POST revoke": (desk, request) => {
    desk.tokens.revoke(ofAccount.parse(jsonOf(request)).account);
    return {};
  },
  "POST webhook": (desk, request) => desk.setWebhook(webhook.parse(jsonOf(request))),
  "POST push": async (desk, request) => ({ attempts: await desk.notify(change.parse(jsonOf(request))) }),
  "GET pushes": (desk) => ({ attempts: desk.pushes.attempts }),
  "GET truth": (desk, { query }) => {
    const { account: name, from, to } = days.parse(Object.fromEntries(query));
    const noon = DAY_MS / 2;
    return desk.truth(name, Date.parse(from) + noon, Date.parse(to) + noon);
  },
};

/** Handles a request to the control routes. */
export async function answerControl(server: ProviderServer, request: SimulatedRequest): Promise<SimulatedReply> {
  const [, slug = "", name = ""] = request.path.split("/");
  if (request.method === "GET" && slug === "requests") {
    return { status: 200, body: { requests: server.requests.map(shown) } };
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

function shown({ query, ...request }: SimulatedRequest) {
  return { ...request, query: Object.fromEntries(query) };
}
