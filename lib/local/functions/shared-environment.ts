/** The environment variables of functions that share one process. A variable has the same value for all functions. */
export class SharedEnvironment {
  readonly #declared = new Map<string, { value: string; by: string }>();

  /** Sets the variables of a function. @throws Error when a variable has another value already; then none is set. */
  declare(functionName: string, variables: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(variables)) {
      const known = this.#declared.get(name);
      if (known && known.value !== value) {
        throw new Error(`the environment variable ${name} has different values in ${known.by} and ${functionName}`);
      }
    }
    for (const [name, value] of Object.entries(variables)) {
      if (!this.#declared.has(name)) this.#declared.set(name, { value, by: functionName });
      process.env[name] = value;
    }
  }
}
