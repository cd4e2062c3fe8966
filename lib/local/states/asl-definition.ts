import * as z from "zod";
import { type ChoiceCondition, compileChoiceRule } from "./choice-rules.ts";
import { findTemplateProblem } from "./data-flow.ts";
import { findPathProblem, findReferencePathProblem } from "./json-path.ts";

const path = z.string().superRefine((text, check) => report(check, findPathProblem(text)));
const referencePath = z.string().superRefine((text, check) => report(check, findReferencePathProblem(text)));
const template = z.json().superRefine((value, check) => report(check, findTemplateProblem(value)));

function report(check: { addIssue(message: string): void }, problem: string | undefined): void {
  if (problem !== undefined) check.addIssue(problem);
}

const commonFields = { Comment: z.string().optional(), QueryLanguage: z.literal("JSONPath").optional() };
const inputOutputFields = { ...commonFields, InputPath: path.nullish(), OutputPath: path.nullish() };
const transitionFields = { Next: z.string().optional(), End: z.boolean().optional() };
const resultFields = { ResultSelector: template.optional(), ResultPath: referencePath.nullish() };

/** JitterStrategy is accepted and ignored: on the virtual clock a retry runs exactly at the end of its backoff. */
const retrier = z.strictObject({
  ...commonFields,
  ErrorEquals: z.array(z.string()),
  IntervalSeconds: z.number().default(1),
  BackoffRate: z.number().default(2),
  MaxAttempts: z.number().default(3),
  MaxDelaySeconds: z.number().optional(),
  JitterStrategy: z.string().optional(),
});
export type Retrier = z.output<typeof retrier>;

const catcher = z.strictObject({
  ...commonFields,
  ErrorEquals: z.array(z.string()),
  Next: z.string(),
  ResultPath: referencePath.nullish(),
});

const errorFields = { Retry: z.array(retrier).default([]), Catch: z.array(catcher).default([]) };

const LAMBDA = /^arn:[^:]+:(states:::lambda:invoke|lambda:[^:]*:[^:]*:function:.+)$/;

/**
 * TimeoutSeconds and HeartbeatSeconds are accepted and not enforced. Virtual time does not move while a task runs, so
 * only the function's own timeout applies, which its host enforces.
 */
const taskState = z
  .strictObject({
    ...inputOutputFields,
    ...transitionFields,
    ...resultFields,
    ...errorFields,
    Type: z.literal("Task"),
    Resource: z.string().regex(LAMBDA, "only Lambda tasks without a task token are supported locally"),
    Parameters: template.optional(),
    TimeoutSeconds: z.number().optional(),
    HeartbeatSeconds: z.number().optional(),
  })
  .refine(({ Resource, Parameters }) => !Resource.endsWith(":::lambda:invoke") || invokesAndWaits(Parameters), {
    error: "lambda:invoke needs a FunctionName, and only the invocation type RequestResponse is supported locally",
  });

function invokesAndWaits(parameters: unknown): boolean {
  const request = z.object({
    FunctionName: z.string(),
    InvocationType: z.literal("RequestResponse").optional(),
  });
  return request.safeParse(parameters).success;
}

const passState = z.strictObject({
  ...inputOutputFields,
  ...transitionFields,
  Type: z.literal("Pass"),
  Parameters: template.optional(),
  Result: z.json().optional(),
  ResultPath: referencePath.nullish(),
});

const waitState = z.strictObject({
  ...inputOutputFields,
  ...transitionFields,
  Type: z.literal("Wait"),
  Seconds: z.number().optional(),
  SecondsPath: path.optional(),
  Timestamp: z.string().optional(),
  TimestampPath: path.optional(),
});

const choice = z.looseObject({ Next: z.string() }).transform((rule, check) => {
  try {
    return { Next: rule.Next, holds: compileChoiceRule(z.json().parse(rule)) satisfies ChoiceCondition };
  } catch (error) {
    check.addIssue(error instanceof Error ? error.message : String(error));
    return z.NEVER;
  }
});

const choiceState = z.strictObject({
  ...inputOutputFields,
  Type: z.literal("Choice"),
  Choices: z.array(choice),
  Default: z.string().optional(),
});

const succeedState = z.strictObject({ ...inputOutputFields, Type: z.literal("Succeed") });

const failState = z.strictObject({
  ...commonFields,
  Type: z.literal("Fail"),
  Error: z.string().optional(),
  ErrorPath: path.optional(),
  Cause: z.string().optional(),
  CausePath: path.optional(),
});

/** States with a start state: a whole definition, or the ItemProcessor of a Map state. */
export interface StateMachineDefinition {
  StartAt: string;
  States: Record<string, State>;
}

const stateMachineDefinition: z.ZodType<StateMachineDefinition> = z.lazy(() =>
  z.strictObject({
    ...commonFields,
    StartAt: z.string(),
    States: z.record(z.string(), state),
    ProcessorConfig: z.strictObject({ Mode: z.literal("INLINE") }).optional(),
    Version: z.string().optional(),
    TimeoutSeconds: z.number().optional(),
  }),
);

/** MaxConcurrency is accepted and ignored: items run sequentially. */
const mapState = z.strictObject({
  ...inputOutputFields,
  ...transitionFields,
  ...resultFields,
  ...errorFields,
  Type: z.literal("Map"),
  ItemsPath: path.optional(),
  ItemSelector: template.optional(),
  ItemProcessor: stateMachineDefinition,
  MaxConcurrency: z.number().optional(),
});

const state = z.discriminatedUnion("Type", [
  taskState,
  passState,
  waitState,
  choiceState,
  succeedState,
  failState,
  mapState,
]);
export type State = z.output<typeof state>;
export type StateOf<Type extends State["Type"]> = Extract<State, { Type: Type }>;

/**
 * Parses a state machine definition (JSON text). The definition must be valid Amazon States Language, see
 * states-language.ts. Unsupported features are rejected here.
 * @throws Error with the path of every unsupported feature.
 */
export function parseDefinition(text: string): StateMachineDefinition {
  const parsed = stateMachineDefinition.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  const jsonata = /"QueryLanguage"\s*:\s*"JSONata"/.test(text);
  const hint = jsonata ? "QueryLanguage JSONata is not supported locally: write the definition in JSONPath.\n" : "";
  throw new Error(hint + z.prettifyError(parsed.error));
}
