import * as z from "zod";

/** Response headers. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** An error response of an AWS service. Engines throw this, or any error with the same fields. */
export class AwsError extends Error {
  readonly status: number;
  /** Exception name, for example `ResourceNotFoundException`. */
  readonly type: string;
  /** Additional headers of the service's protocol. */
  readonly headers: ResponseHeaders;

  constructor(
    status: number,
    type: string,
    message: string,
    options?: ErrorOptions & { headers?: ResponseHeaders | undefined },
  ) {
    super(message, options);
    this.name = "AwsError";
    this.status = status;
    this.type = type;
    this.headers = options?.headers ?? {};
  }
}

/** A complete HTTP response. */
export interface AwsResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Buffer;
}

const awsErrorFields = z.object({
  status: z.int(),
  type: z.string(),
  message: z.string(),
  headers: z.record(z.string(), z.string()).optional(),
});

/** Converts any thrown value to an AwsError. A value without status and type becomes an internal failure. */
export function toAwsError(thrown: unknown): AwsError {
  if (thrown instanceof AwsError) return thrown;
  const { data } = awsErrorFields.safeParse(thrown);
  if (data) return new AwsError(data.status, data.type, data.message, { cause: thrown, headers: data.headers });
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new AwsError(500, "InternalFailure", message, { cause: thrown });
}

/** An error response of the JSON protocols (Smithy specification, "AWS JSON protocols"). */
export function toJsonErrorResponse({ status, type, message, headers }: AwsError): AwsResponse {
  return {
    status,
    headers: { "content-type": "application/x-amz-json-1.0", "x-amzn-errortype": type, ...headers },
    body: Buffer.from(JSON.stringify({ __type: type, message })),
  };
}

/** An error response of S3 (S3 API reference, "Error responses"). */
export function toXmlErrorResponse({ status, type, message, headers }: AwsError): AwsResponse {
  const escaped = message.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`);
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${type}</Code><Message>${escaped}</Message></Error>`;
  return { status, headers: { "content-type": "application/xml", ...headers }, body: Buffer.from(body) };
}

/** The body of a successful response. @throws AwsError for any other status. */
export function unwrapResponse({ status, body }: { status: number; body: Record<string, unknown> }): object {
  if (status === 200) return body;
  throw new AwsError(status, String(body.__type ?? "InternalFailure"), String(body.message ?? body.Message ?? ""));
}
