import { BatchGetCommand, GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { deliveries, deliveryLeases } from "../../../lib/contract/resources.ts";

/** What an invocation did before. */
export interface InvocationSteps {
  /** Whether it delivers events. */
  readonly isFirst: boolean;
  /** Its last request. */
  last: string;
}

/** A request of a consumer. */
export interface NamedRequest {
  /** The step that it is; empty for a request that belongs to the step before. */
  readonly step: string;
  /** What the request does, for the names of those after it. */
  readonly does: string;
}

const same = (step: string): NamedRequest => ({ step, does: step });
const isOf = (pk: unknown, { keyPrefix }: { readonly keyPrefix: string }) => String(pk).startsWith(keyPrefix);

/** Names a request as a step of a worker in the model. */
export function nameRequest(command: object, invocation: InvocationSteps): NamedRequest {
  if (command instanceof BatchGetCommand) {
    const keys = Object.values(command.input.RequestItems ?? {}).flatMap(({ Keys = [] }) => Keys.map(({ pk }) => pk));
    return nameRead(keys, invocation);
  }
  if (command instanceof GetCommand)
    return isOf(command.input.Key?.pk, deliveryLeases) ? same("find waiting") : { step: "", does: "read" };
  if (command instanceof PutCommand) return same(command.input.Item?.fence === undefined ? "store" : "record");
  if (!(command instanceof UpdateCommand)) throw new Error(`unexpected ${command.constructor.name}`);
  const { Key, UpdateExpression = "", ExpressionAttributeValues = {} } = command.input;
  if (isOf(Key?.pk, deliveryLeases)) return nameLeaseUpdate(UpdateExpression, ExpressionAttributeValues, invocation);
  if (!isOf(Key?.pk, deliveries)) return { step: "", does: "update health" };
  // Without a token, the delivery is postponed as part of the step before.
  return { step: UpdateExpression.includes("fence") ? "record" : "", does: "record" };
}

function nameRead(keys: readonly unknown[], { isFirst, last }: InvocationSteps): NamedRequest {
  if (keys.some((pk) => isOf(pk, deliveryLeases))) return same("read");
  const isOfState = !keys.every((pk) => isOf(pk, deliveries));
  if (isFirst && (isOfState || last === "")) return same("read first");
  if (isOfState) return same("next");
  if (last === "join") return same("check holder");
  if (last === "join stored") return same("check holder of stored");
  return last === "acquire" ? same("check") : { step: "", does: "look" };
}

function nameLeaseUpdate(
  expression: string,
  values: Readonly<Record<string, unknown>>,
  { isFirst }: InvocationSteps,
): NamedRequest {
  if (expression.startsWith("ADD waiting")) return same(isFirst ? "join stored" : "join");
  if (expression.startsWith("SET fence = :next")) return same("pass on");
  if (expression.startsWith("SET fence")) {
    const does = isFirst ? "acquire first" : "acquire";
    // Whoever finds the holder's attempt over takes its lease in the same step.
    return { step: ":over" in values ? "" : does, does };
  }
  return same(expression.includes("quarantine") ? "quarantine" : "release");
}
