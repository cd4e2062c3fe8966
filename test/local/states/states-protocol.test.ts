import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  RedriveExecutionCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from "@aws-sdk/client-sfn";
import { expect, onTestFinished, test } from "vitest";
import { handleStates } from "../../../lib/local/states/states-protocol.ts";
import { createExecutor, lambdaArn, lambdaError, MACHINE_ARN } from "./executor.ts";

/** Starts an SDK client that talks to an executor through HTTP. */
async function connected(options: Parameters<typeof createExecutor>[0] = {}) {
  const local = createExecutor(options);
  const server = createServer(async (request, response) => {
    const action = String(request.headers["x-amz-target"]).replace("AWSStepFunctions.", "");
    const { status, body } = handleStates(local.machines, action, await json(request));
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = new SFNClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: "us-east-1",
    credentials,
    maxAttempts: 1,
  });
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  return { ...local, client };
}

const task = { Type: "Task", Resource: lambdaArn("f"), End: true };
const once = { StartAt: "A", States: { A: task } };
const day = { StartAt: "W", States: { W: { Type: "Wait", Seconds: 86_400, End: true } } };

test("an execution is started, described and listed, and its history is readable", async () => {
  const { client, machines, register, settle } = await connected();
  register(once);
  const start = new StartExecutionCommand({ stateMachineArn: MACHINE_ARN, name: "n", input: '{"a":1}' });
  const { executionArn, startDate } = await client.send(start);
  await settle();
  expect(executionArn).toBe(`${MACHINE_ARN.replace("stateMachine", "execution")}:n`);
  expect(startDate?.getTime()).toBe(machines.list(MACHINE_ARN)[0]?.startedAt);

  const described = await client.send(new DescribeExecutionCommand({ executionArn }));
  expect(described).toMatchObject({ name: "n", status: "SUCCEEDED", input: '{"a":1}', output: '{"a":1}', startDate });
  const { executions } = await client.send(new ListExecutionsCommand({ stateMachineArn: MACHINE_ARN }));
  expect(executions).toMatchObject([{ executionArn, status: "SUCCEEDED", startDate, stopDate: described.stopDate }]);

  const { events = [] } = await client.send(new GetExecutionHistoryCommand({ executionArn }));
  const data = '{"a":1}';
  expect(events).toMatchObject([
    { id: 1, type: "ExecutionStarted", executionStartedEventDetails: { input: data } },
    { id: 2, type: "TaskStateEntered", stateEnteredEventDetails: { name: "A", input: data } },
    { id: 3, type: "TaskStateExited", stateExitedEventDetails: { name: "A", output: data } },
    { id: 4, type: "ExecutionSucceeded", executionSucceededEventDetails: { output: data } },
  ]);
});

test("a failed execution shows its error and is redriven", async () => {
  let healthy = false;
  const { client, register, settle } = await connected({
    answer: () => {
      if (!healthy) throw lambdaError("Busy");
    },
  });
  register(once);
  const { executionArn } = await client.send(new StartExecutionCommand({ stateMachineArn: MACHINE_ARN }));
  await settle();
  expect(await client.send(new DescribeExecutionCommand({ executionArn }))).toMatchObject({
    status: "FAILED",
    error: "Busy",
    cause: expect.stringContaining("no luck"),
  });
  healthy = true;
  const { redriveDate } = await client.send(new RedriveExecutionCommand({ executionArn }));
  await settle();
  expect(await client.send(new DescribeExecutionCommand({ executionArn }))).toMatchObject({
    status: "SUCCEEDED",
    redriveCount: 1,
    redriveDate,
  });
  const { events = [] } = await client.send(new GetExecutionHistoryCommand({ executionArn, reverseOrder: true }));
  expect(events.map(({ type }) => type).slice(0, 4)).toEqual([
    "ExecutionSucceeded",
    "TaskStateExited",
    "ExecutionRedriven",
    "ExecutionFailed",
  ]);
});

test("a waiting execution is stopped", async () => {
  const { client, register, settle } = await connected();
  register(day);
  const { executionArn } = await client.send(new StartExecutionCommand({ stateMachineArn: MACHINE_ARN }));
  await settle();
  const { stopDate } = await client.send(new StopExecutionCommand({ executionArn, error: "Undone", cause: "why" }));
  expect(await client.send(new DescribeExecutionCommand({ executionArn }))).toMatchObject({
    status: "ABORTED",
    error: "Undone",
    cause: "why",
    stopDate,
  });
});

test("lists are paged, newest first, and filtered by status", async () => {
  const { client, register, machines, settle } = await connected();
  register(day);
  for (const name of ["a", "b", "c"]) machines.start(MACHINE_ARN, "{}", name);
  await settle();
  const first = await client.send(new ListExecutionsCommand({ stateMachineArn: MACHINE_ARN, maxResults: 2 }));
  const { nextToken } = first;
  const second = await client.send(
    new ListExecutionsCommand({ stateMachineArn: MACHINE_ARN, maxResults: 2, nextToken }),
  );
  const pages = [first, second].map(({ executions = [] }) => executions.map(({ name }) => name));
  expect([pages, second.nextToken]).toEqual([[["c", "b"], ["a"]], undefined]);
  const failed = await client.send(new ListExecutionsCommand({ stateMachineArn: MACHINE_ARN, statusFilter: "FAILED" }));
  expect(failed.executions).toEqual([]);
});

test("errors have the names that the SDK knows", async () => {
  const { client, register } = await connected();
  register(day);
  const executionArn = `${MACHINE_ARN.replace("stateMachine", "execution")}:gone`;
  const start = (name: string, input = "{}", stateMachineArn = MACHINE_ARN) =>
    client.send(new StartExecutionCommand({ stateMachineArn, name, input }));
  await start("n");
  await expect(start("n", '{"a":1}')).rejects.toMatchObject({ name: "ExecutionAlreadyExists" });
  await expect(start("m", "{}", `${MACHINE_ARN}2`)).rejects.toMatchObject({ name: "StateMachineDoesNotExist" });
  await expect(start("m", "{")).rejects.toMatchObject({ name: "InvalidExecutionInput" });
  await expect(start("a b")).rejects.toMatchObject({ name: "InvalidName" });
  const requests = [
    [client.send(new DescribeExecutionCommand({ executionArn })), "ExecutionDoesNotExist"],
    [client.send(new StopExecutionCommand({ executionArn })), "ExecutionDoesNotExist"],
    [client.send(new DescribeExecutionCommand({ executionArn: undefined })), "ValidationException"],
    [client.send(new ListStateMachinesCommand({})), "UnknownOperationException"],
  ] as const;
  for (const [request, name] of requests) await expect(request).rejects.toMatchObject({ name });
});
