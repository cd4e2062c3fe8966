import * as z from "zod";
import { isTypePrefix } from "../catalogue/catalogue.ts";
import { eventFamilies } from "../catalogue/event-families.ts";

const arn = (pattern: RegExp, what: string) => z.string().regex(pattern, `must be the ARN of ${what}`);

/** Customer managed KMS key that encrypts the stream or queue, if any. */
const keyArn = arn(/^arn:aws[\w-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/, "a KMS key").optional();

const forwardTarget = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("kinesis"),
    arn: arn(/^arn:aws[\w-]*:kinesis:[a-z0-9-]+:\d{12}:stream\/[\w.-]+$/, "a Kinesis stream"),
    keyArn,
  }),
  z.strictObject({
    kind: z.literal("sqs"),
    arn: arn(/^arn:aws[\w-]*:sqs:[a-z0-9-]+:\d{12}:[\w-]+(?:\.fifo)?$/, "an SQS queue"),
    keyArn,
  }),
  z.strictObject({
    kind: z.literal("bus"),
    arn: arn(/^arn:aws[\w-]*:events:[a-z0-9-]+:\d{12}:event-bus\/[\w./-]+$/, "an EventBridge bus"),
  }),
  z.strictObject({ kind: z.literal("event_hub") }).describe("The destination that the event's team has configured"),
]);

const forward = z.strictObject({
  name: z.string().regex(/^[a-z][a-zA-Z0-9]{0,30}$/, "a name in camelCase of up to 31 characters"),
  prefixes: z.array(z.string().refine(isTypePrefix, "must be the prefix of an event type")).min(1),
  to: forwardTarget,
});

/** A forward of a deployment: event type prefixes and their target. */
export type Forward = z.output<typeof forward>;
/** An AWS target that the deployment identifies by its ARN. */
export type AwsTarget = Exclude<Forward["to"], { kind: "event_hub" }>;

/**
 * Maximum number of forwards of a deployment. Each is a rule and a statement in two queue policies: the queue of its
 * forwarder, and the dead-letter queue of all rules. A policy takes 20 statements and 8,192 bytes (SQS Developer Guide,
 * "Quotas related to policies").
 */
export const MAX_FORWARDS = 10;

/** The ordered forwards of a deployment. Entries and prefixes that no event could reach are rejected. */
export const forwardList = z
  .array(forward)
  .max(MAX_FORWARDS)
  .superRefine((forwards, context) => {
    for (const [index, { name, prefixes }] of forwards.entries()) {
      const refuse = (path: PropertyKey[], message: string) =>
        context.addIssue({ code: "custom", path: [index, ...path], message });
      const earlier = forwards.slice(0, index);
      if (name === defaultForward.name) refuse(["name"], "the default rule has this name");
      if (earlier.some((other) => other.name === name)) refuse(["name"], "an earlier entry has this name");
      for (const [place, prefix] of prefixes.entries()) {
        const taker = earlier.find((other) => other.prefixes.some((begin) => prefix.startsWith(begin)));
        if (taker) refuse(["prefixes", place], `${taker.name} already matches all of these`);
      }
    }
  });

/** One rule of the bus: matches types that start with one of the prefixes and with none of the exceptions. */
export interface ForwardRule extends Forward {
  readonly except: readonly string[];
}

/** Default: events that no forward matches go to the destination that their team configured. */
const defaultForward: Forward = {
  name: "everythingElse",
  prefixes: eventFamilies.map(({ prefix }) => prefix),
  to: { kind: "event_hub" },
};

/**
 * Returns the rules of ordered forwards, and a last rule for all other events. No event matches two rules: each rule
 * excludes the types of earlier rules.
 */
export function forwardRules(forwards: readonly Forward[]): ForwardRule[] {
  const all = [...forwards, defaultForward];
  return all.map((one, index) => {
    const earlier = all.slice(0, index).flatMap(({ prefixes }) => prefixes);
    const overlaps = (prefix: string) => one.prefixes.some((own) => prefix.startsWith(own) || own.startsWith(prefix));
    const except = earlier.filter(overlaps);
    return { ...one, except };
  });
}

/**
 * Returns the event pattern of a rule. Conditions on one field are alternatives, so the exceptions apply to the type in
 * the reference, which always equals that of the envelope.
 */
export function toEventPattern({ prefixes, except }: Pick<ForwardRule, "prefixes" | "except">) {
  return {
    "detail-type": prefixes.map((prefix) => ({ prefix })),
    ...(except.length === 0 ? {} : { detail: { type: [{ "anything-but": { prefix: except } }] } }),
  };
}
