/** The environment variable by which containers are told apart: AWS gives each a log stream of its own. */
export const CONTAINER = "AWS_LAMBDA_LOG_STREAM_NAME";

/**
 * Makes something at first use and keeps it for the life of the container. A process that plays one container after
 * another, as that of tests does, makes it anew for each.
 */
export function keptByContainer<T>(make: () => T): () => T {
  let kept: { readonly by: string | undefined; readonly value: T } | undefined;
  return () => {
    if (!kept || kept.by !== process.env[CONTAINER]) kept = { by: process.env[CONTAINER], value: make() };
    return kept.value;
  };
}
