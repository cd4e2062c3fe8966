import type { Invocation } from "../faults/invocation.ts";
import { UUID_PATTERN } from "../faults/judge-trial.ts";

/** Fields of the events of all trigger types. */
interface Event {
  readonly rawPath?: string;
  readonly requestContext?: { readonly http?: { readonly method?: string } };
  readonly Records?: readonly { readonly eventSourceARN?: string; readonly dynamodb?: object }[];
  readonly source?: string;
}

/** Describes a step of a story in a few words: the request, or another trigger of its function. */
export function describeStep({ event }: Invocation): string {
  const { rawPath, requestContext, Records, source } = event as Event;
  if (rawPath !== undefined) return `${requestContext?.http?.method} ${rawPath.replace(UUID_PATTERN, "{id}")}`;
  if (Records?.[0]?.dynamodb) return `${Records.length} of the stream`;
  if (Records) return `${Records.length} of the queue`;
  return source === "aws.events" ? "by its schedule" : "by the deletion machine";
}
