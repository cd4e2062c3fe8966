import * as z from "zod";
import { catalogue } from "./catalogue.ts";
import { eventFamilies } from "./families.ts";

const arn = (pattern: RegExp, what: string) => z.string().regex(pattern, `not the ARN of ${what}`);

/** The key that encrypts a stream or queue, where it is one of the customer's own. */
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
  z.strictObject({ kind: z.literal("event_hub") }).describe("What the team of the event has configured itself"),
]);

const forward = z.strictObject({
  name: z.string().regex(/^[a-z][a-zA-Z0-9]{0,30}$/, "a name in camelCase of up to 31 characters"),
  prefixes: z
    .array(
      z
        .string()
        .refine(
          (prefix) => prefix !== "" && catalogue.some(({ type }) => type.startsWith(prefix)),
          "begins no event type",
        ),
    )
    .min(1),
  to: forwardTarget,
});

/** Where a deployment wants events of some types forwarded to. */
export type Forward = z.output<typeof forward>;
/** A target in AWS, which the deployment names by its ARN. */
export type AwsTarget = Exclude<Forward["to"], { kind: "event_hub" }>;

/**
 * The most forwards of a deployment: each is a rule, and a statement in the policies of the queue before its forwarder
 * and of the dead letters of all rules, which take 20 statements and 8,192 bytes (SQS Developer Guide, "Quotas related
 * to policies").
 */
export const MOST_FORWARDS = 10;

/** A deployment's forwards in their order. Refused are entries, and prefixes, that no event would ever reach. */
export const forwardList = z
  .array(forward)
  .max(MOST_FORWARDS)
  .superRefine((forwards, context) => {
    for (const [index, { name, prefixes }] of forwards.entries()) {
      const refuse = (path: PropertyKey[], message: string) =>
        context.addIssue({ code: "custom", path: [index, ...path], message });
      const earlier = forwards.slice(0, index);
      if (name === otherwise.name) refuse(["name"], "the rule of all other events has this name");
      if (earlier.some((other) => other.name === name)) refuse(["name"], "an earlier entry has this name");
      for (const [place, prefix] of prefixes.entries()) {
        const taker = earlier.find((other) => other.prefixes.some((begin) => prefix.startsWith(begin)));
        if (taker) refuse(["prefixes", place], `${taker.name} takes all of these before`);
      }
    }
  });

/** One rule of the bus: takes what begins with one of the prefixes and with none of the exceptions. */
export interface ForwardRule extends Forward {
  readonly except: readonly string[];
}

/** What no forward takes is for the destination that its team has configured. */
const otherwise: Forward = {
  name: "everythingElse",
  prefixes: eventFamilies.map(({ prefix }) => prefix),
  to: { kind: "event_hub" },
};

/**
 * The rules of an ordered list of forwards, and a last one for all other events. No event is taken by two: each rule
 * leaves out what an earlier one takes.
 */
export function forwardRules(forwards: readonly Forward[]): ForwardRule[] {
  const all = [...forwards, otherwise];
  return all.map((one, index) => {
    const earlier = all.slice(0, index).flatMap(({ prefixes }) => prefixes);
    const overlaps = (prefix: string) => one.prefixes.some((own) => prefix.startsWith(own) || own.startsWith(prefix));
    const except = earlier.filter(overlaps);
    return { ...one, except };
  });
}

/**
 * The event pattern of a rule. Conditions on one field are alternatives, so the exceptions are held against the type as
 * the reference itself has it, which is always that of the envelope.
 */
export function patternOf({ prefixes, except }: Pick<ForwardRule, "prefixes" | "except">) {
  return {
    "detail-type": prefixes.map((prefix) => ({ prefix })),
    ...(except.length === 0 ? {} : { detail: { type: [{ "anything-but": { prefix: except } }] } }),
  };
}
