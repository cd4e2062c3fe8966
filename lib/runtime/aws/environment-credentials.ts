/** Credentials of an AWS identity, in the shape that SDK clients expect. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * The credential provider of SDK clients in deployed functions. It stands in for the SDK's default chain, because Lambda
 * passes the credentials of a function's role as environment variables. Reads them again at each resolution, since a
 * restored container may have new ones.
 * @throws Error if the environment has no credentials.
 */
export function defaultProvider(): () => Promise<AwsCredentials> {
  return async () => {
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
    if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
      throw new Error(
        "the environment has no AWS credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set",
      );
    return {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}),
    };
  };
}
