/** One call of a public client, `resource.method`. */
export interface SdkMethod {
  readonly name: string;
  /** Calls the method with this request, and with what else a client takes. */
  readonly call: (...request: readonly unknown[]) => Promise<unknown>;
  /** Names of its parameters, as the client's source gives them. */
  readonly parameters: readonly string[];
}

/** Lists every method from the client object itself, so that the tests detect methods of new releases. */
export function sdkMethods(client: object): SdkMethod[] {
  return gettersOf(client).flatMap((resource) => {
    const part: object = Reflect.get(client, resource);
    return methodsOf(part).map((name) => {
      const method = Reflect.get(part, name);
      const [, parameters = ""] = /\(([^)]*)\)/.exec(String(method)) ?? [];
      return {
        name: `${resource}.${name}`,
        call: (...request: readonly unknown[]) => Reflect.apply(method, part, request),
        parameters: parameters.split(/,\s*/),
      };
    });
  });
}

function gettersOf(client: object): string[] {
  const properties = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(client));
  return Object.entries(properties).flatMap(([name, { get }]) => (get ? [name] : []));
}

function methodsOf(part: object): string[] {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(part));
  return names.filter((name) => name !== "constructor" && !name.startsWith("_"));
}
