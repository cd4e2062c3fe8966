import * as z from "zod";
import type { Execution, HistoryEvent } from "./execution-store.ts";
import type { StateMachines } from "./state-machines.ts";
import { StatesError } from "./states-error.ts";

/** A response of the AWS JSON 1.0 protocol: HTTP status and JSON body. */
export interface StatesResponse {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** At most 1,000 results per page; 0 means the default of 100 (API reference, "ListExecutions"). */
const paging = {
  maxResults: z.number().int().min(0).max(1000).default(0),
  nextToken: z.string().optional(),
};
const executionRequest = z.object({ executionArn: z.string() });
const startRequest = z.object({
  stateMachineArn: z.string(),
  name: z.string().optional(),
  input: z.string().optional(),
});
const stopRequest = executionRequest.extend({ error: z.string().optional(), cause: z.string().optional() });
const listRequest = z.object({
  ...paging,
  stateMachineArn: z.string(),
  statusFilter: z.string().optional(),
});
const historyRequest = executionRequest.extend({
  ...paging,
  reverseOrder: z.boolean().default(false),
  includeExecutionData: z.boolean().default(true),
});

type Action = (machines: StateMachines, request: unknown) => StatesResponse["body"];

const actions: Record<string, Action> = {
  StartExecution: (machines, request) => {
    const { stateMachineArn, input, name } = startRequest.parse(request);
    const { arn, startedAt } = machines.start(stateMachineArn, input, name);
    return { executionArn: arn, startDate: toEpochSeconds(startedAt) };
  },
  StopExecution: (machines, request) => {
    const { executionArn, error, cause } = stopRequest.parse(request);
    return { stopDate: toEpochSeconds(machines.stop(executionArn, error, cause).stoppedAt) };
  },
  DescribeExecution: (machines, request) => {
    const { executionArn } = executionRequest.parse(request);
    const execution = machines.describe(executionArn);
    const { input, output, error, cause } = execution;
    return { ...toWireExecution(execution), input, ...withoutNulls({ output, error, cause }) };
  },
  ListExecutions: (machines, request) => {
    const { stateMachineArn, statusFilter, ...wanted } = listRequest.parse(request);
    const { results, nextToken } = paginate(machines.list(stateMachineArn, statusFilter), wanted);
    return { executions: results.map(toWireExecution), nextToken };
  },
  GetExecutionHistory: (machines, request) => {
    const { executionArn, reverseOrder, includeExecutionData, ...wanted } = historyRequest.parse(request);
    const events = machines.history(executionArn);
    const { results, nextToken } = paginate(reverseOrder ? events.reverse() : events, wanted);
    return { events: results.map((event) => toWireEvent(event, includeExecutionData)), nextToken };
  },
  RedriveExecution: (machines, request) => {
    const { executionArn } = executionRequest.parse(request);
    return { redriveDate: toEpochSeconds(machines.redrive(executionArn).redrivenAt) };
  },
};

/**
 * Handles one request of the AWS JSON 1.0 protocol. `action` is the part of X-Amz-Target after "AWSStepFunctions.".
 * Errors of the API are responses with status 400. Any thrown value is a defect.
 */
export function handleStates(machines: StateMachines, action: string, request: unknown): StatesResponse {
  const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!act) return errorResponse("UnknownOperationException", `The action ${action} is not supported locally`);
  try {
    return { status: 200, body: act(machines, request) };
  } catch (error) {
    if (error instanceof StatesError) return errorResponse(error.code, error.message);
    if (error instanceof z.ZodError) return errorResponse("ValidationException", z.prettifyError(error));
    throw error;
  }
}

function errorResponse(code: string, message: string): StatesResponse {
  return { status: 400, body: { __type: code, message } };
}

/** Instants on the wire are fractional epoch seconds. */
function toEpochSeconds(epochMs: number | null): number | undefined {
  return epochMs === null ? undefined : epochMs / 1000;
}

function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** The token of a page is the index of its first item. */
function paginate<Item>(
  items: Item[],
  { maxResults, nextToken }: { maxResults: number; nextToken?: string | undefined },
) {
  const start = Number(nextToken ?? 0);
  if (!Number.isInteger(start) || start < 0) throw new StatesError("InvalidToken", "Invalid Token");
  const end = start + (maxResults || 100);
  return { results: items.slice(start, end), nextToken: end < items.length ? String(end) : undefined };
}

function toWireExecution({ arn, machineArn, name, status, startedAt, stoppedAt, redriveCount, redrivenAt }: Execution) {
  return {
    executionArn: arn,
    stateMachineArn: machineArn,
    name,
    status,
    startDate: toEpochSeconds(startedAt),
    stopDate: toEpochSeconds(stoppedAt),
    redriveCount,
    redriveDate: toEpochSeconds(redrivenAt),
  };
}

/** The details member of a history event, by its type (API reference, "HistoryEvent"). */
function eventDetails({ type, name, data }: HistoryEvent, withData: boolean): Record<string, unknown> {
  const text = withData ? data : undefined;
  if (type.endsWith("StateEntered")) return { stateEnteredEventDetails: { name, input: text } };
  if (type.endsWith("StateExited")) return { stateExitedEventDetails: { name, output: text } };
  if (type === "ExecutionStarted") return { executionStartedEventDetails: { input: text } };
  if (type === "ExecutionSucceeded") return { executionSucceededEventDetails: { output: text } };
  const member = `${type.charAt(0).toLowerCase()}${type.slice(1)}EventDetails`;
  return { [member]: withData ? withoutNulls(JSON.parse(data)) : {} };
}

function toWireEvent(event: HistoryEvent, withData: boolean): Record<string, unknown> {
  const { id, at, type } = event;
  return { id, previousEventId: id - 1, timestamp: toEpochSeconds(at), type, ...eventDetails(event, withData) };
}
