/** A span as its children name it (W3C Trace Context, "traceparent Header"). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether the caller records the trace. */
  readonly isSampled: boolean;
}

const FIELDS = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const isZero = (digits: string) => /^0+$/.test(digits);

/** Parses a `traceparent`; undefined for an invalid one. A version after 00 may have further fields. */
export function parseTraceparent(text: string): TraceContext | undefined {
  const [, version, traceId = "", spanId = "", flags = "", more] = FIELDS.exec(text) ?? [];
  const isKnown = version === "00" ? more === undefined : version !== undefined && version !== "ff";
  if (!isKnown || isZero(traceId) || isZero(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Formats a `traceparent` of version 00. */
export const formatTraceparent = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
