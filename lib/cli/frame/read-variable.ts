/** Reads a variable of the environment. One that is set but empty counts as unset. */
export const readVariable = (name: string): string | undefined => process.env[name] || undefined;
