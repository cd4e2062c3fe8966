import type * as z from "zod";
import type { QueueEngine } from "./queue-engine.ts";
import { SqsError } from "./sqs-error.ts";

/** An operation of the protocol: converts a request to a response. Fails with {@link SqsError}. */
export type SqsAction = (engine: QueueEngine, request: unknown) => object | Promise<object>;

/** Defines an operation with the schema of its request. Unknown parameters are rejected. */
export function defineAction<Schema extends z.ZodType>(
  schema: Schema,
  run: (engine: QueueEngine, request: z.output<Schema>) => object | Promise<object>,
): SqsAction {
  return (engine, request) => {
    const parsed = schema.safeParse(request);
    if (parsed.success) return run(engine, parsed.data);
    const issue = parsed.error.issues[0]!;
    throw new SqsError("InvalidParameterValue", `The request is invalid at ${issue.path.join(".")}: ${issue.message}`);
  };
}

/** Validates a number against SQS's limits. @throws SqsError with SQS's message. */
export function validateRange(parameter: string, value: number | undefined, min: number, max: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) return;
  const reason = `Must be between ${min} and ${max}, if provided.`;
  throw new SqsError(
    "InvalidParameterValue",
    `Value ${value} for parameter ${parameter} is invalid. Reason: ${reason}`,
  );
}
