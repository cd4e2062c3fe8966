/**
 * Whether an error of AWS has a name. Bundles may lack the classes of a client's errors, so that `instanceof` is false for
 * an error that has the right name.
 */
export const hasErrorName = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;
