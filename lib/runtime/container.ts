/** The environment variable that identifies a container: AWS gives each container its own log stream. */
export const CONTAINER_VARIABLE = "AWS_LAMBDA_LOG_STREAM_NAME";

/**
 * Creates a value at first use and caches it for the life of the container. A process that simulates several containers
 * in turn, such as a test run, gets one value per container.
 */
export function oncePerContainer<T>(make: () => T): () => T {
  let kept: { readonly by: string | undefined; readonly value: T } | undefined;
  return () => {
    if (!kept || kept.by !== process.env[CONTAINER_VARIABLE])
      kept = { by: process.env[CONTAINER_VARIABLE], value: make() };
    return kept.value;
  };
}
