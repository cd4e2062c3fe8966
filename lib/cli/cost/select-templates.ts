import type { PricedTemplate } from "./priced-template.ts";

/** Name suffix of a stack that every deployment has. */
const DATA_STACK_SUFFIX = "-Data";

/** Selects one deployment in a directory. */
interface TemplateSelection {
  /** Prefix of the stack names. Optional when the directory contains a single deployment. */
  readonly name: string | undefined;
  /** Names of the stacks of the last synthesis. Other stacks are left over from an earlier synthesis. */
  readonly latest: ReadonlySet<string>;
}

/**
 * Selects the templates of one deployment. A directory may contain several, because the synthesis of a stage keeps the
 * templates of other stages.
 * @throws Error with the existing names, when the name is missing and ambiguous, or unknown.
 */
export function selectTemplates<T extends Pick<PricedTemplate, "name">>(
  templates: readonly T[],
  wanted: TemplateSelection,
): T[] {
  const names = templates
    .flatMap(({ name }) => (name.endsWith(DATA_STACK_SUFFIX) ? [name.slice(0, -DATA_STACK_SUFFIX.length)] : []))
    .sort();
  const { name = names.length === 1 ? names[0] : undefined, latest } = wanted;
  const there = names.join(", ") || "no deployment";
  if (name === undefined) throw new Error(`The directory contains ${there}: select one with --stage or --name.`);
  if (!names.includes(name))
    throw new Error(`The directory does not contain the deployment ${name}, only ${there}: run npm run synth for it.`);
  const own = templates.filter((template) => findDeployment(template.name, names) === name);
  const isLatest = latest.has(`${name}${DATA_STACK_SUFFIX}`);
  return own.filter((template) => !isLatest || latest.has(template.name));
}

/** The deployment of a stack: the longest matching prefix, because one name may be a prefix of another. */
function findDeployment(stack: string, names: readonly string[]): string | undefined {
  const beginning = names.filter((name) => stack.startsWith(`${name}-`));
  return beginning.toSorted((one, other) => other.length - one.length)[0];
}
