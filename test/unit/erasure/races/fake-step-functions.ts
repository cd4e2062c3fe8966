import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import * as z from "zod";
import { type DeletionInput, deletionInput } from "../../../../lib/domain/erasure/deletion-input.ts";
import type { Fault } from "../../support/step-scheduler.ts";

const startRequest = z.object({ name: z.string(), input: z.string() });
const stopRequest = z.object({ executionArn: z.string() });

/** A fake of Step Functions that records started and stopped executions by name. */
export class FakeStepFunctions {
  readonly started = new Map<string, DeletionInput>();
  readonly stopped = new Set<string>();
  /** Called before each request. The returned fault is injected into the request. */
  beforeEach: (operation: string) => Promise<Fault | undefined> = async () => undefined;
  /** Called when an execution starts. */
  onStart: (name: string, input: DeletionInput) => void = () => {};

  /** Clears all executions. */
  clear(): void {
    this.started.clear();
    this.stopped.clear();
  }

  /** Handles one request as Step Functions does. @returns status and JSON body. */
  async answer(operation: string, body: unknown): Promise<[number, object]> {
    const fault = await this.beforeEach(operation);
    if (fault === "request lost") return lost;
    const answer = operation === "StartExecution" ? this.#start(body) : this.#stop(body);
    return fault === "answer lost" ? lost : answer;
  }

  #start(body: unknown): [number, object] {
    const { name, input } = startRequest.parse(body);
    if (this.started.has(name)) return [400, { __type: "ExecutionAlreadyExists", message: name }];
    const deletion = deletionInput.parse(JSON.parse(input));
    this.started.set(name, deletion);
    this.onStart(name, deletion);
    return [200, { executionArn: `${EXECUTIONS}:${name}`, startDate: 0 }];
  }

  #stop(body: unknown): [number, object] {
    const name = stopRequest.parse(body).executionArn.replace(`${EXECUTIONS}:`, "");
    if (!this.started.has(name)) return [400, { __type: "ExecutionDoesNotExist", message: name }];
    this.stopped.add(name);
    return [200, { stopDate: 0 }];
  }
}

const lost: [number, object] = [500, { __type: "InternalFailure" }];
const MACHINE = "arn:aws:states:us-east-1:000000000000:stateMachine:deletion";
const EXECUTIONS = MACHINE.replace(":stateMachine:", ":execution:");

/** Serves both operations on a free port and points the environment of this process at it. */
export async function serveStepFunctions(states: FakeStepFunctions): Promise<{ stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    void exchange(states, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  // One attempt, so that a lost response reaches the caller instead of an SDK retry.
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SFN: `http://127.0.0.1:${port}`,
    AWS_MAX_ATTEMPTS: "1",
    MACHINE_DELETION: MACHINE,
  });
  return {
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function exchange(states: FakeStepFunctions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = "";
  for await (const chunk of request) text += chunk;
  const operation = String(request.headers["x-amz-target"]).replace("AWSStepFunctions.", "");
  const [status, body] = await states.answer(operation, JSON.parse(text));
  response.writeHead(status, { "content-type": "application/x-amz-json-1.0" }).end(JSON.stringify(body));
}
