/** By what a container can tell itself from others: AWS gives each a log stream of its own. */
const NAME = "AWS_LAMBDA_LOG_STREAM_NAME";

/**
 * Makes something at first use and keeps it for the life of the container. A process that plays one container after
 * another, as that of tests does, makes it anew for each.
 */
export function keptByContainer<T>(make: () => T): () => T {
  let kept: { readonly by: string | undefined; readonly value: T } | undefined;
  return () => {
    if (!kept || kept.by !== process.env[NAME]) kept = { by: process.env[NAME], value: make() };
    return kept.value;
  };
}
