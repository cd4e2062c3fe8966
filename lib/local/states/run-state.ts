import { isJsonObject } from "../../domain/shared/json.ts";
import type { State, StateOf } from "./asl-definition.ts";
import { applyPath, applyResultPath, fillPayloadTemplate } from "./data-flow.ts";
import { type Json, type JsonObject, type PathSources, readAtPath } from "./json-path.ts";
import type { Frame } from "./position.ts";
import { StateFailure } from "./state-failure.ts";
import { parseTimestamp } from "./timestamp.ts";

/** Everything that a state needs in addition to its definition and its frame. */
export interface StateEnvironment {
  /** The context object, `$$`. */
  readonly context: JsonObject;
  /** Epoch milliseconds. */
  now(): number;
  /** Invokes a function. Rejects with an Error whose name is the Lambda error type. */
  invoke(functionArn: string, payload: Json): Promise<unknown>;
}

/** Result of running a state: stay in it (until `frame.dueAt`), start an item of a Map, or leave it. */
export type StateTransition =
  | { readonly kind: "stay"; readonly frame: Frame }
  | { readonly kind: "start-item"; readonly frame: Frame; readonly startAt: string; readonly input: Json }
  | { readonly kind: "leave"; readonly output: Json; readonly next: string | undefined };

/** Runs one state once. @throws StateFailure when the state fails; the caller applies `Retry` and `Catch`. */
export async function runState(state: State, frame: Frame, around: StateEnvironment): Promise<StateTransition> {
  const raw: PathSources = { input: frame.input, context: around.context };
  if (state.Type === "Fail") throw toStateFailure(state, raw);
  const input = applyPath(state.InputPath, raw);
  const sources = { input, context: around.context };
  const leave = (output: Json, next: string | undefined): StateTransition => ({
    kind: "leave",
    output: applyPath(state.OutputPath, { input: output, context: around.context }),
    next,
  });
  switch (state.Type) {
    case "Succeed":
      return leave(input, undefined);
    case "Choice":
      return leave(input, selectNextState(state, sources));
    case "Pass": {
      const made = state.Parameters === undefined ? input : fillPayloadTemplate(state.Parameters, sources);
      return leave(
        applyResultPath(state.ResultPath, frame.input, state.Result === undefined ? made : state.Result),
        state.Next,
      );
    }
    case "Wait": {
      const dueAt = waitEndsAt(state, frame, sources);
      return dueAt > around.now() ? { kind: "stay", frame: { ...frame, dueAt } } : leave(input, state.Next);
    }
    case "Task":
      return leave(applyResult(state, frame, around.context, await runTask(state, sources, around)), state.Next);
    case "Map": {
      const progress = frame.map ?? { items: readMapItems(state, sources), results: [] };
      const item = progress.items[progress.results.length];
      if (item === undefined) return leave(applyResult(state, frame, around.context, progress.results), state.Next);
      return { kind: "start-item", ...startItem(state, { ...frame, map: progress }, item, sources) };
    }
  }
}

/** Applies `ResultSelector` and `ResultPath` to the result of a Task or Map state. */
function applyResult(state: StateOf<"Task" | "Map">, frame: Frame, context: JsonObject, result: Json): Json {
  const selected =
    state.ResultSelector === undefined ? result : fillPayloadTemplate(state.ResultSelector, { input: result, context });
  return applyResultPath(state.ResultPath, frame.input, selected);
}

function toStateFailure(state: StateOf<"Fail">, sources: PathSources): StateFailure {
  const error = state.ErrorPath === undefined ? state.Error : String(readAtPath(state.ErrorPath, sources));
  const cause = state.CausePath === undefined ? state.Cause : String(readAtPath(state.CausePath, sources));
  return new StateFailure(error, cause);
}

function selectNextState(state: StateOf<"Choice">, sources: PathSources): string {
  const next = state.Choices.find(({ holds }) => holds(sources))?.Next ?? state.Default;
  if (next === undefined) throw new StateFailure("States.NoChoiceMatched", "No choice matched and there is no Default");
  return next;
}

/** Counts from the instant at which the state was entered, so a restart does not extend the wait. */
function waitEndsAt(state: StateOf<"Wait">, frame: Frame, sources: PathSources): number {
  const timestamp = state.TimestampPath === undefined ? state.Timestamp : readAtPath(state.TimestampPath, sources);
  if (timestamp !== undefined) {
    const instant = parseTimestamp(timestamp);
    if (instant === undefined) throw StateFailure.runtime("The Wait state's timestamp is not an RFC 3339 instant");
    return instant;
  }
  const seconds = state.SecondsPath === undefined ? state.Seconds : readAtPath(state.SecondsPath, sources);
  if (typeof seconds !== "number" || seconds < 0)
    throw StateFailure.runtime("The Wait state's seconds are not a duration");
  return frame.enteredAt + seconds * 1000;
}

async function runTask(state: StateOf<"Task">, sources: PathSources, around: StateEnvironment): Promise<Json> {
  const parameters = state.Parameters === undefined ? sources.input : fillPayloadTemplate(state.Parameters, sources);
  if (!state.Resource.endsWith(":::lambda:invoke")) return callFunction(around, state.Resource, parameters);
  const { FunctionName, Payload = {} } = isJsonObject(parameters) ? parameters : {};
  return { StatusCode: 200, Payload: await callFunction(around, String(FunctionName), Payload) };
}

/** Passes a copy and returns plain JSON, as over the wire, so that a function cannot change the state's input. */
async function callFunction(around: StateEnvironment, functionArn: string, payload: Json): Promise<Json> {
  try {
    const answer = await around.invoke(functionArn, structuredClone(payload));
    return JSON.parse(JSON.stringify(answer ?? null));
  } catch (error) {
    if (!(error instanceof Error)) throw new StateFailure("Lambda.Unknown", String(error));
    throw new StateFailure(error.name, JSON.stringify({ errorMessage: error.message, errorType: error.name }));
  }
}

function readMapItems(state: StateOf<"Map">, sources: PathSources): Json[] {
  const items = readAtPath(state.ItemsPath ?? "$", sources);
  if (!Array.isArray(items)) throw StateFailure.runtime("The Map state's ItemsPath does not refer to a list");
  return items;
}

function startItem(state: StateOf<"Map">, frame: Frame, item: Json, sources: PathSources) {
  const { dueAt: _past, ...started } = frame;
  const context = { ...sources.context, Map: { Item: { Index: frame.map?.results.length ?? 0, Value: item } } };
  const input =
    state.ItemSelector === undefined ? item : fillPayloadTemplate(state.ItemSelector, { ...sources, context });
  return { frame: started, startAt: state.ItemProcessor.StartAt, input };
}
