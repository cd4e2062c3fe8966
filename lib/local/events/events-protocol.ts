import * as z from "zod";
import { isJsonObject, parseJson } from "../../domain/shared/json.ts";
import type { EventOrigin } from "./envelope.ts";
import { type EventBus, EventsApiError } from "./event-bus.ts";
import { PatternError } from "./operators.ts";
import { compilePattern } from "./patterns.ts";
import type { Rule } from "./rules.ts";

/** An HTTP response: status and JSON body. */
export interface EventsResponse {
  status: number;
  body: Record<string, unknown>;
}

const putEventsRequest = z.object({
  Entries: z.array(
    z.object({
      Time: z.number().optional(),
      Source: z.string().optional(),
      DetailType: z.string().optional(),
      Detail: z.string().optional(),
      Resources: z.array(z.string()).optional(),
      EventBusName: z.string().optional(),
    }),
  ),
});
const listRulesRequest = z.object({ NamePrefix: z.string().default(""), EventBusName: z.string().optional() });
const describeRuleRequest = z.object({ Name: z.string(), EventBusName: z.string().optional() });
const testEventPatternRequest = z.object({ EventPattern: z.string(), Event: z.string() });

/** Event fields that TestEventPattern requires (EventBridge API Reference). */
const REQUIRED_EVENT_FIELDS = ["id", "account", "source", "time", "region", "resources", "detail-type"];

type Action = (bus: EventBus, request: unknown, origin: EventOrigin) => Promise<Record<string, unknown>>;

/**
 * Handles one call of the AWS JSON 1.1 protocol with the X-Amz-Target header `AWSEvents.<action>`.
 * Returns errors of the caller as status 400 with their AWS type.
 */
export async function handleEvents(
  bus: EventBus,
  action: string,
  request: unknown,
  origin: EventOrigin,
): Promise<EventsResponse> {
  try {
    const handle = ACTIONS.get(action);
    if (!handle) throw new EventsApiError("UnknownOperationException", `Unknown operation ${action}`);
    return { status: 200, body: await handle(bus, request, origin) };
  } catch (error) {
    if (error instanceof EventsApiError) return errorResponse(error.code, error.message);
    if (error instanceof z.ZodError) return errorResponse("SerializationException", z.prettifyError(error));
    throw error;
  }
}

const putEvents: Action = async (bus, request, origin) => {
  const { Entries: entries } = putEventsRequest.parse(request);
  const results = await bus.putEvents(entries, origin);
  return { FailedEntryCount: results.filter((result) => "ErrorCode" in result).length, Entries: results };
};

const listRules: Action = async (bus, request) => {
  const { NamePrefix: prefix, EventBusName: busName } = listRulesRequest.parse(request);
  const rules = requireRules(bus, busName).filter(({ name }) => name.startsWith(prefix));
  return { Rules: rules.map(toWireRule) };
};

const describeRule: Action = async (bus, request) => {
  const { Name: name, EventBusName: busName } = describeRuleRequest.parse(request);
  const rule = requireRules(bus, busName).find((candidate) => candidate.name === name);
  if (!rule) throw new EventsApiError("ResourceNotFoundException", `Rule ${name} does not exist.`);
  return toWireRule(rule);
};

const testEventPattern: Action = async (_bus, request) => {
  const { EventPattern: pattern, Event: eventText } = testEventPatternRequest.parse(request);
  const event = parseJson(eventText);
  const missing = isJsonObject(event) ? REQUIRED_EVENT_FIELDS.find((field) => !(field in event)) : "Event";
  if (missing) throw new EventsApiError("ValidationException", `Parameter ${missing} is not valid.`);
  try {
    return { Result: compilePattern(parseJson(pattern))(event) };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new EventsApiError("InvalidEventPatternException", `Event pattern is not valid. Reason: ${error.message}`);
  }
};

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ["PutEvents", putEvents],
  ["ListRules", listRules],
  ["DescribeRule", describeRule],
  ["TestEventPattern", testEventPattern],
]);

function requireRules(bus: EventBus, busName: string | undefined): Rule[] {
  const rules = bus.rules(busName);
  if (!rules) throw new EventsApiError("ResourceNotFoundException", `Event bus ${busName} does not exist.`);
  return rules;
}

function toWireRule(rule: Rule): Record<string, unknown> {
  return {
    Name: rule.name,
    Arn: rule.arn,
    EventBusName: rule.busName,
    State: rule.enabled ? "ENABLED" : "DISABLED",
    ScheduleExpression: rule.schedule,
    EventPattern: rule.pattern === undefined ? undefined : JSON.stringify(rule.pattern),
  };
}

function errorResponse(type: string, message: string): EventsResponse {
  return { status: 400, body: { __type: type, message } };
}
