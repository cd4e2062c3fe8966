import { parseJson } from "../../domain/shared/json.ts";
import { DeliveryError } from "./delivery-error.ts";
import type { EventEnvelope } from "./envelope.ts";
import { parseJsonPath, valueAt } from "./json-path.ts";

/** Replaces the event that a target receives. At most one of the three properties is set. */
export interface TargetInput {
  /** JSON path of the part of the event to send. */
  inputPath?: string;
  /** A constant, as JSON text. */
  input?: string;
  inputTransformer?: {
    /** Variable name -> JSON path. */
    inputPathsMap?: Record<string, string>;
    /** JSON text with `<variable>` placeholders. */
    inputTemplate: string;
  };
}

/** Values of the predefined template variables. */
export interface InputContext {
  ruleArn: string;
  ruleName: string;
  /** When the bus accepted the event, epoch ms. */
  ingestedAtMs: number;
}

const VARIABLE = /<([\w.\-/]+)>/g;
const RESERVED_PREFIX = "aws.events.";
const MAX_VARIABLES = 100;

/** Variables that EventBridge defines. `aws.events.event` is the event without its detail. */
const PREDEFINED = new Map<string, (event: EventEnvelope, context: InputContext) => unknown>([
  ["aws.events.rule-arn", (_event, context) => context.ruleArn],
  ["aws.events.rule-name", (_event, context) => context.ruleName],
  ["aws.events.event.ingestion-time", (_event, context) => new Date(context.ingestedAtMs).toISOString()],
  ["aws.events.event", ({ detail: _detail, ...event }) => event],
  ["aws.events.event.json", (event) => event],
]);

/**
 * Renders the input of a target: the whole event, a part of it, a constant or a filled template, as minified JSON.
 * Source: EventBridge User Guide, "Amazon EventBridge input transformation".
 *
 * @throws DeliveryError INVALID_JSON, not retryable, when the event gives no valid input.
 */
export function renderInput(target: TargetInput, event: EventEnvelope, context: InputContext): string {
  if (target.input !== undefined) return minifyJson(target.input);
  if (target.inputPath !== undefined) {
    const part = valueAt(target.inputPath, event);
    if (part === undefined) throw invalidJson(`The event has nothing at ${target.inputPath}`);
    return JSON.stringify(part);
  }
  if (!target.inputTransformer) return JSON.stringify(event);
  const { inputPathsMap = {}, inputTemplate } = target.inputTransformer;
  return fillTemplate(inputTemplate, (name) => {
    const predefined = PREDEFINED.get(name);
    return predefined ? predefined(event, context) : valueAt(inputPathsMap[name] ?? "$", event);
  });
}

/** Validates the input specification of a target as EventBridge does. @throws Error with the reason. */
export function validateInput(target: TargetInput): void {
  const given = [target.input, target.inputPath, target.inputTransformer].filter((part) => part !== undefined);
  if (given.length > 1) throw new Error("Only one of Input, InputPath and InputTransformer may be given");
  if (target.input !== undefined) minifyJson(target.input);
  if (target.inputPath !== undefined) parseJsonPath(target.inputPath);
  if (!target.inputTransformer) return;
  const { inputPathsMap = {}, inputTemplate } = target.inputTransformer;
  const names = Object.keys(inputPathsMap);
  if (names.length > MAX_VARIABLES) throw new Error(`InputPathsMap has more than ${MAX_VARIABLES} variables`);
  const reserved = names.find((name) => name.startsWith(RESERVED_PREFIX));
  if (reserved) throw new Error(`InputPathsMap must not define the reserved variable ${reserved}`);
  for (const path of Object.values(inputPathsMap)) parseJsonPath(path);
  for (const [, name = ""] of inputTemplate.matchAll(VARIABLE)) {
    if (!Object.hasOwn(inputPathsMap, name) && !PREDEFINED.has(name)) {
      throw new Error(`InputTemplate uses the undefined variable <${name}>`);
    }
  }
  fillTemplate(inputTemplate, () => "x");
}

/** Replaces the variables of a template. A variable without a value in the event becomes an empty string. */
function fillTemplate(template: string, lookUp: (name: string) => unknown): string {
  let filled = "";
  let at = 0;
  let isQuoted = false;
  for (const match of template.matchAll(VARIABLE)) {
    const before = template.slice(at, match.index);
    isQuoted = endsInsideString(before, isQuoted);
    const value = lookUp(match[1] ?? "") ?? "";
    // Inside quotes EventBridge inserts values without escaping them.
    filled += before + (isQuoted && typeof value === "string" ? value : JSON.stringify(value));
    at = match.index + match[0].length;
  }
  return minifyJson(filled + template.slice(at));
}

/** Whether a JSON string is open after `text`. @param wasInside whether a string was open before `text`. */
function endsInsideString(text: string, wasInside: boolean): boolean {
  const quotes = text.replace(/\\./g, "").match(/"/g)?.length ?? 0;
  return quotes % 2 === 1 ? !wasInside : wasInside;
}

/** Minifies JSON. Text of several lines that are JSON strings stays as it is. */
function minifyJson(text: string): string {
  const value = parseJson(text);
  if (value !== undefined) return JSON.stringify(value);
  const isStrings = text.split("\n").every((line) => typeof parseJson(line) === "string");
  if (!isStrings) throw invalidJson(`The input is not valid JSON: ${text.slice(0, 200)}`);
  return text;
}

function invalidJson(message: string): DeliveryError {
  return new DeliveryError("INVALID_JSON", message, false);
}
