/** Minimum and maximum, both inclusive. */
export type Bounds = readonly [min: number, max: number];

/** Type of a sample's `value`; `none` when fields carry the measurement (blood pressure). */
type ValueKind = "number" | "integer" | "string" | "none";

/** Rules for the `type` of a sample. */
export interface TypeRule {
  /** Allowed values; absent when any short string is allowed. */
  readonly values?: readonly string[];
  readonly required: boolean;
  /** Whether samples of several types can share an instant, so that the type is part of the identity. */
  readonly identity: boolean;
}

/** An extra field of a resource's samples. */
export type FieldRule =
  | { readonly name: string; readonly kind: "number"; readonly bounds: Bounds }
  | { readonly name: string; readonly kind: "choice" | "choices"; readonly values: readonly string[] };

/** Definition of one timeseries resource. */
export interface TimeseriesResource<Name extends string = string, EventName extends string = string> {
  /** As in `/v2/timeseries/{user_id}/{name}`. */
  readonly name: Name;
  /** As in `daily.data.{eventName}.created`. */
  readonly eventName: EventName;
  /** The unit of stored and returned values. */
  readonly unit: string;
  /** Whether a sample is an instant, or an interval with start (inclusive) and end (exclusive). */
  readonly kind: "point" | "interval";
  readonly value: ValueKind;
  /** Generous plausibility bounds of the value; for a string, of its length. */
  readonly bounds: Bounds;
  readonly type: TypeRule;
  /** Numbers are required; choices may be null. */
  readonly fields: readonly FieldRule[];
  /** Whether the deprecated ungrouped read exists. */
  readonly plain: boolean;
  /**
   * Width of the time bucket stored as one chunk. A full chunk at the densest usual rate is about 1 KB, the size of one
   * write unit. Part of the storage format: stored chunks are found by it, so it never changes.
   */
  readonly bucketMs: number;
}

/** Optional properties of a resource beyond name, unit, bounds and bucket width. */
export type ResourceOptions = Partial<Pick<TimeseriesResource, "value" | "type" | "fields" | "plain">>;

const define =
  (kind: TimeseriesResource["kind"]) =>
  <const Name extends string, const EventName extends string = Name>(
    name: Name,
    unit: string,
    bounds: Bounds,
    bucketMs: number,
    options: ResourceOptions & { readonly eventName?: EventName } = {},
  ): TimeseriesResource<Name, EventName> => ({
    name,
    // By default event types use the resource name, as the type says.
    eventName: name as string as EventName,
    unit,
    kind,
    value: "number",
    bounds,
    type: { required: false, identity: false },
    fields: [],
    plain: false,
    bucketMs,
    ...options,
  });

/** Defines a resource whose samples are instants. */
export const point = define("point");
/** Defines a resource whose samples are intervals. */
export const interval = define("interval");

/** A required `type` from a list. */
export const requiredType = (...values: string[]): TypeRule => ({ values, required: true, identity: false });
/** A required `type` that is part of the identity; without values, any short string. */
export const requiredSubtype = (...values: string[]): TypeRule => ({
  ...(values.length === 0 ? {} : { values }),
  required: true,
  identity: true,
});
/** A field with one of these values or null. */
export const choice = (name: string, ...values: string[]): FieldRule => ({ name, kind: "choice", values });
/** A field with a list of these values or null. */
export const choices = (name: string, ...values: string[]): FieldRule => ({ name, kind: "choices", values });
/** A required numeric field. */
export const measure = (name: string, bounds: Bounds): FieldRule => ({ name, kind: "number", bounds });
