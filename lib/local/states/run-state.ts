import type { State, StateOf } from "./asl-definition.ts";
import { fill, place, select } from "./data-flow.ts";
import { isObject, type Json, type JsonObject, read, type Sources } from "./json-path.ts";
import type { Frame } from "./position.ts";
import { StateFailure } from "./state-failure.ts";
import { instantOf } from "./timestamp.ts";

/** Everything that a state needs in addition to its definition and its frame. */
export interface Surroundings {
  /** The context object, `$$`. */
  readonly context: JsonObject;
  /** Epoch milliseconds. */
  now(): number;
  /** Invokes a function. Rejects with an Error whose name is the Lambda error type. */
  invoke(functionArn: string, payload: Json): Promise<unknown>;
}

/** Result of running a state: stay in it (until `frame.dueAt`), start an item of a Map, or leave it. */
export type Move =
  | { readonly kind: "stay"; readonly frame: Frame }
  | { readonly kind: "start-item"; readonly frame: Frame; readonly startAt: string; readonly input: Json }
  | { readonly kind: "leave"; readonly output: Json; readonly next: string | undefined };

/** Runs one state once. @throws StateFailure when the state fails; the caller applies `Retry` and `Catch`. */
export async function runState(state: State, frame: Frame, around: Surroundings): Promise<Move> {
  const raw: Sources = { input: frame.input, context: around.context };
  if (state.Type === "Fail") throw failureOf(state, raw);
  const input = select(state.InputPath, raw);
  const sources = { input, context: around.context };
  const leave = (output: Json, next: string | undefined): Move => ({
    kind: "leave",
    output: select(state.OutputPath, { input: output, context: around.context }),
    next,
  });
  switch (state.Type) {
    case "Succeed":
      return leave(input, undefined);
    case "Choice":
      return leave(input, chosen(state, sources));
    case "Pass": {
      const made = state.Parameters === undefined ? input : fill(state.Parameters, sources);
      return leave(place(state.ResultPath, frame.input, state.Result === undefined ? made : state.Result), state.Next);
    }
    case "Wait": {
      const dueAt = endOfWait(state, frame, sources);
      return dueAt > around.now() ? { kind: "stay", frame: { ...frame, dueAt } } : leave(input, state.Next);
    }
    case "Task":
      return leave(finish(state, frame, around.context, await runTask(state, sources, around)), state.Next);
    case "Map": {
      const progress = frame.map ?? { items: itemsOf(state, sources), results: [] };
      const item = progress.items[progress.results.length];
      if (item === undefined) return leave(finish(state, frame, around.context, progress.results), state.Next);
      return { kind: "start-item", ...itemStart(state, { ...frame, map: progress }, item, sources) };
    }
  }
}

/** Applies `ResultSelector` and `ResultPath` to the result of a Task or Map state. */
function finish(state: StateOf<"Task" | "Map">, frame: Frame, context: JsonObject, result: Json): Json {
  const selected = state.ResultSelector === undefined ? result : fill(state.ResultSelector, { input: result, context });
  return place(state.ResultPath, frame.input, selected);
}

function failureOf(state: StateOf<"Fail">, sources: Sources): StateFailure {
  const error = state.ErrorPath === undefined ? state.Error : String(read(state.ErrorPath, sources));
  const cause = state.CausePath === undefined ? state.Cause : String(read(state.CausePath, sources));
  return new StateFailure(error, cause);
}

function chosen(state: StateOf<"Choice">, sources: Sources): string {
  const next = state.Choices.find(({ holds }) => holds(sources))?.Next ?? state.Default;
  if (next === undefined) throw new StateFailure("States.NoChoiceMatched", "No choice matched and there is no Default");
  return next;
}

/** Counts from the instant at which the state was entered, so a restart does not extend the wait. */
function endOfWait(state: StateOf<"Wait">, frame: Frame, sources: Sources): number {
  const timestamp = state.TimestampPath === undefined ? state.Timestamp : read(state.TimestampPath, sources);
  if (timestamp !== undefined) {
    const instant = instantOf(timestamp);
    if (instant === undefined) throw StateFailure.runtime("The Wait state's timestamp is not an RFC 3339 instant");
    return instant;
  }
  const seconds = state.SecondsPath === undefined ? state.Seconds : read(state.SecondsPath, sources);
  if (typeof seconds !== "number" || seconds < 0)
    throw StateFailure.runtime("The Wait state's seconds are not a duration");
  return frame.enteredAt + seconds * 1000;
}

async function runTask(state: StateOf<"Task">, sources: Sources, around: Surroundings): Promise<Json> {
  const parameters = state.Parameters === undefined ? sources.input : fill(state.Parameters, sources);
  if (!state.Resource.endsWith(":::lambda:invoke")) return call(around, state.Resource, parameters);
  const { FunctionName, Payload = {} } = isObject(parameters) ? parameters : {};
  return { StatusCode: 200, Payload: await call(around, String(FunctionName), Payload) };
}

/** Passes a copy and returns plain JSON, as over the wire, so that a function cannot change the state's input. */
async function call(around: Surroundings, functionArn: string, payload: Json): Promise<Json> {
  try {
    const answer = await around.invoke(functionArn, structuredClone(payload));
    return JSON.parse(JSON.stringify(answer ?? null));
  } catch (error) {
    if (!(error instanceof Error)) throw new StateFailure("Lambda.Unknown", String(error));
    throw new StateFailure(error.name, JSON.stringify({ errorMessage: error.message, errorType: error.name }));
  }
}

function itemsOf(state: StateOf<"Map">, sources: Sources): Json[] {
  const items = read(state.ItemsPath ?? "$", sources);
  if (!Array.isArray(items)) throw StateFailure.runtime("The Map state's ItemsPath does not refer to a list");
  return items;
}

function itemStart(state: StateOf<"Map">, frame: Frame, item: Json, sources: Sources) {
  const { dueAt: _past, ...started } = frame;
  const context = { ...sources.context, Map: { Item: { Index: frame.map?.results.length ?? 0, Value: item } } };
  const input = state.ItemSelector === undefined ? item : fill(state.ItemSelector, { ...sources, context });
  return { frame: started, startAt: state.ItemProcessor.StartAt, input };
}
