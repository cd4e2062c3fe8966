import type { JunctionClient } from "@junction-api/sdk";

/** One call of the public client, `resource.method`. */
export interface SdkMethod {
  readonly name: string;
  /** Calls the method with this request. */
  readonly call: (request: unknown) => Promise<unknown>;
}

/** Lists every method from the client object itself, so that the tests detect methods of new releases. */
export function sdkMethods(client: JunctionClient): SdkMethod[] {
  return gettersOf(client).flatMap((resource) => {
    const part: object = Reflect.get(client, resource);
    return methodsOf(part).map((method) => ({
      name: `${resource}.${method}`,
      call: (request: unknown) => Reflect.apply(Reflect.get(part, method), part, [request]),
    }));
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
