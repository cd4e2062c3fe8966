/**
 * The environment of functions that run in one process: each variable has one value, whoever declares it.
 */
export class SharedEnvironment {
  readonly #declared = new Map<string, { value: string; by: string }>();

  /** Sets the variables of a function. @throws Error, before any is set, for a second value of one name. */
  declare(functionName: string, variables: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(variables)) {
      const known = this.#declared.get(name);
      if (known && known.value !== value) {
        throw new Error(`the environment variable ${name} has one value in ${known.by} and another in ${functionName}`);
      }
    }
    for (const [name, value] of Object.entries(variables)) {
      if (!this.#declared.has(name)) this.#declared.set(name, { value, by: functionName });
      process.env[name] = value;
    }
  }
}
