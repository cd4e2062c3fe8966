import { randomUUID } from "node:crypto";
import type { Context } from "aws-lambda";
import type { VirtualClock } from "../clock.ts";

/** A function, as its template declares it. */
export interface LocalFunction {
  readonly name: string;
  readonly arn: string;
  /** The published version; undefined for the latest, unpublished one. */
  readonly version?: string;
  /** Directory of the function's code asset. */
  readonly directory: string;
  /** File without extension, and export: `index.handler`. */
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutS: number;
  readonly memoryMb: number;
}

/** The context without the callbacks, which the Node 24 runtime of Lambda does not support. */
export type LambdaContext = Omit<Context, "done" | "fail" | "succeed">;

/** The context object of one invocation (Lambda, "Using the Lambda context object to retrieve Node.js information"). */
export function createLambdaContext(fn: LocalFunction, clock: Pick<VirtualClock, "now">): LambdaContext {
  const deadline = clock.now() + fn.timeoutS * 1_000;
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: fn.name,
    functionVersion: fn.version ?? "$LATEST",
    invokedFunctionArn: fn.arn,
    memoryLimitInMB: String(fn.memoryMb),
    awsRequestId: randomUUID(),
    logGroupName: `/aws/lambda/${fn.name}`,
    logStreamName: "local",
    getRemainingTimeInMillis: () => Math.max(0, deadline - clock.now()),
  };
}
