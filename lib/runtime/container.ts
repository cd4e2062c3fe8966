/** The environment variable that identifies a container: AWS gives each container its own log stream. */
export const CONTAINER = "AWS_LAMBDA_LOG_STREAM_NAME";

/**
 * Creates a value at first use and caches it for the life of the container. A process that simulates several containers
 * in turn, such as a test run, gets one value per container.
 */
export function keptByContainer<T>(make: () => T): () => T {
  let kept: { readonly by: string | undefined; readonly value: T } | undefined;
  return () => {
    if (!kept || kept.by !== process.env[CONTAINER]) kept = { by: process.env[CONTAINER], value: make() };
    return kept.value;
  };
}
