/** Smallest and largest allowed, both included. */
export type Bounds = readonly [min: number, max: number];

/** What the `value` of a sample is; `none` where fields carry the measurement (blood pressure). */
export type ValueKind = "number" | "integer" | "string" | "none";

/** What the `type` of a sample may be. */
export interface TypeRule {
  /** The allowed values; absent where any short text is. */
  readonly values?: readonly string[];
  readonly required: boolean;
  /** Whether several types may have a value at one instant, so that the type is part of a sample's identity. */
  readonly identity: boolean;
}

/** A field that the samples of one resource have beyond the common ones. */
export type FieldRule =
  | { readonly name: string; readonly kind: "number"; readonly bounds: Bounds }
  | { readonly name: string; readonly kind: "choice" | "choices"; readonly values: readonly string[] };

/** Everything there is to know about one kind of timeseries. */
export interface TimeseriesResource<Name extends string = string, EventName extends string = string> {
  /** As in `/v2/timeseries/{user_id}/{name}`. */
  readonly name: Name;
  /** As in `daily.data.{eventName}.created`. */
  readonly eventName: EventName;
  /** The one unit in which values are stored and answered. */
  readonly unit: string;
  /** Whether a sample is an instant, or a span with start (included) and end (excluded). */
  readonly kind: "point" | "interval";
  readonly value: ValueKind;
  /** What is physically plausible for the value, generously; for a text, its length. */
  readonly bounds: Bounds;
  readonly type: TypeRule;
  /** Numbers are required; choices may be null. */
  readonly fields: readonly FieldRule[];
  /** Whether the deprecated form without groups exists. */
  readonly plain: boolean;
  /**
   * Width of the time bucket whose samples are stored as one chunk. Chosen so that a full chunk at the densest usual
   * rate is about 1 KB, which is what one write unit pays for. Part of the storage format: stored chunks are found
   * by it, so it never changes.
   */
  readonly bucketMs: number;
}

/** What a row of the table says beyond name, unit, bounds and bucket. */
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
    // By default events name a resource as paths do, and so says the type.
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

/** Declares a resource whose samples are instants. */
export const point = define("point");
/** Declares a resource whose samples are spans. */
export const interval = define("interval");

/** A required `type` out of a list. */
export const typeOf = (...values: string[]): TypeRule => ({ values, required: true, identity: false });
/** A required `type` that is part of the identity; without values, any short text. */
export const subtypeOf = (...values: string[]): TypeRule => ({
  ...(values.length === 0 ? {} : { values }),
  required: true,
  identity: true,
});
/** A field that is one of these values or null. */
export const choice = (name: string, ...values: string[]): FieldRule => ({ name, kind: "choice", values });
/** A field that is a list of these values or null. */
export const choices = (name: string, ...values: string[]): FieldRule => ({ name, kind: "choices", values });
/** A required numeric field. */
export const measure = (name: string, bounds: Bounds): FieldRule => ({ name, kind: "number", bounds });
