import type { PricedTemplate } from "./idle-cost.ts";

/** The stack that every deployment has, whatever its options. */
const EVERY = "-Data";

/** Which deployment of those in a directory is meant. */
interface Wanted {
  /** The prefix of its stacks' names; without one the directory has to hold a single deployment. */
  readonly name: string | undefined;
  /** Names of the stacks that the last synthesis made; what it has not made is left over from an earlier one. */
  readonly latest: ReadonlySet<string>;
}

/**
 * The templates of one deployment, where a directory may hold several: synthesizing a stage leaves those of others there.
 * @throws Error that says which there are, when none is named and there are several, or the named one is not there.
 */
export function templatesOf<T extends Pick<PricedTemplate, "name">>(templates: readonly T[], wanted: Wanted): T[] {
  const names = templates.flatMap(({ name }) => (name.endsWith(EVERY) ? [name.slice(0, -EVERY.length)] : [])).sort();
  const { name = names.length === 1 ? names[0] : undefined, latest } = wanted;
  const there = names.join(", ") || "no deployment";
  if (name === undefined) throw new Error(`There is ${there}: say which one by --stage or --name.`);
  if (!names.includes(name))
    throw new Error(`There is no deployment ${name}, only ${there}: run npm run synth for it.`);
  const own = templates.filter((template) => deploymentOf(template.name, names) === name);
  const isLatest = latest.has(`${name}${EVERY}`);
  return own.filter((template) => !isLatest || latest.has(template.name));
}

/** The longest name that a stack's begins with: a deployment may be called like the beginning of another one. */
function deploymentOf(stack: string, names: readonly string[]): string | undefined {
  const beginning = names.filter((name) => stack.startsWith(`${name}-`));
  return beginning.toSorted((one, other) => other.length - one.length)[0];
}
