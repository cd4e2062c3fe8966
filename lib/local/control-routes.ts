import type { IncomingMessage, ServerResponse } from "node:http";
import * as z from "zod";
import { faultRule } from "./aws-proxy/fault-injector.ts";
import { readBody } from "./http-api/request-body.ts";
import { sendError } from "./http-api/send-error.ts";
import type { LocalCloud } from "./local-cloud.ts";
import { resourcesReport } from "./resources-report.ts";
import { settle } from "./settle.ts";

/** Maximum number of seconds that one request advances the clock: ten years. */
const MAX_ADVANCE_S = 10 * 366 * 24 * 3600;
/** Maximum time that `POST /_local/settle` waits, so that HTTP clients get an answer in time. */
const MAX_SETTLE_MS = 30_000;
const MAX_BODY_BYTES = 65_536;

const advanceRequest = z.object({ advance_seconds: z.number().min(0).max(MAX_ADVANCE_S) });

type Route = (cloud: LocalCloud, body: unknown) => Promise<unknown> | unknown;

const currentTime = (cloud: LocalCloud) => ({ now: new Date(cloud.clock.now()).toISOString() });

/** Routes that control the local cloud itself. A deployment does not have them. */
const routes: Readonly<Record<string, Route>> = {
  "GET /_local/clock": (cloud) => currentTime(cloud),
  "POST /_local/clock": async (cloud, body) => {
    const { advance_seconds } = advanceRequest.parse(body);
    await cloud.advance(advance_seconds * 1000, async () => void (await settle(cloud)));
    return currentTime(cloud);
  },
  "POST /_local/settle": (cloud) => settle(cloud, MAX_SETTLE_MS),
  "GET /_local/resources": (cloud) => resourcesReport(cloud),
  "GET /_local/faults": (cloud) => cloud.faults.list(),
  "POST /_local/faults": (cloud, body) => {
    cloud.faults.add(faultRule.parse(body));
    return cloud.faults.list();
  },
  "DELETE /_local/faults": (cloud) => {
    cloud.faults.clear();
    return [];
  },
  "GET /_local/meter": (cloud) => cloud.meter.snapshot(),
  "DELETE /_local/meter": (cloud) => {
    cloud.meter.reset();
    return cloud.meter.snapshot();
  },
};

/** Handles the requests below /_local/. The handler returns false for any other request. */
export function controlRoutes(cloud: LocalCloud) {
  return async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<boolean> => {
    const route = routes[`${request.method} ${url.pathname}`];
    if (!route) return false;
    const body = await readBody(request, MAX_BODY_BYTES);
    if (!body) return sendError(response, { status: 413, code: "body_too_large", detail: "The body exceeds 64 KB." });
    try {
      const text = body.toString("utf8");
      const answer = JSON.stringify(await route(cloud, text ? JSON.parse(text) : undefined));
      response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end(answer);
      return true;
    } catch (error) {
      return refuse(response, error);
    }
  };
}

/** Answers an invalid request. @throws any other error. */
function refuse(response: ServerResponse, error: unknown): true {
  if (error instanceof z.ZodError) {
    const detail = error.issues.map(({ path, message, code }) => ({
      loc: ["body", ...path],
      msg: message,
      type: code,
    }));
    return sendError(response, { status: 422, code: "validation_failed", detail });
  }
  if (error instanceof SyntaxError) {
    return sendError(response, { status: 400, code: "malformed_body", detail: "The body is not JSON." });
  }
  throw error;
}
