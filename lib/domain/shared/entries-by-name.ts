/** The members of a stored map by name. DynamoDB returns them in another order at each read. */
export function entriesByName<T>(map: Readonly<Record<string, T>>): [name: string, value: T][] {
  return Object.entries(map).toSorted(([one], [other]) => (one < other ? -1 : 1));
}
