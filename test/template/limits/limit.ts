/** A template as CloudFormation receives it. */
export interface Template {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs?: Readonly<Record<string, unknown>>;
  readonly Parameters?: Readonly<Record<string, unknown>>;
}

export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Properties;
}

// biome-ignore lint/suspicious/noExplicitAny: the properties of all types of CloudFormation
export type Properties = Readonly<Record<string, any>>;

/** A maximum that AWS enforces when it creates a resource, at the default of its quota. */
export interface Limit {
  /** The resource type; `Template` for a whole template, `App` for all templates. */
  readonly of: string;
  readonly what: string;
  /** The AWS documentation that states the figure. */
  readonly source: string;
  readonly most: number;
  readonly least?: number;
  /** The figures of one resource, template or app; none without the property. */
  readonly measure: (subject: Properties) => readonly number[];
  /** A subject beyond the limit, to prove that the check can fail. */
  readonly beyond: Properties;
}

/** Maximum length of a resolved reference: an ARN with the longest name that this service gives. */
const LONGEST_REFERENCE = 160;

/** The longest text that a template value can become. References count with their maximum length. */
export function longestText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(resolvedAtLongest(value));
}

function resolvedAtLongest(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolvedAtLongest);
  if (typeof value !== "object" || value === null) return value;
  const [entry, ...more] = Object.entries(value);
  if (entry && more.length === 0) {
    const [name, argument] = entry;
    if (name === "Fn::Join") return (argument as [string, unknown[]])[1].map(resolvedAtLongest).join("");
    if (name === "Ref" && /^AWS::/.test(String(argument))) return "?".repeat(16);
    if (name === "Ref" || name.startsWith("Fn::")) return "?".repeat(LONGEST_REFERENCE);
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolvedAtLongest(part)]));
}

/** Characters without white space, as IAM counts a policy. */
export const policySize = (document: unknown): number => longestText(document).replaceAll(/\s/g, "").length;

/** The length of an optional text. */
export const lengthOf = (text: unknown): number[] => (text === undefined ? [] : [longestText(text).length]);

/** An optional number. */
export const figureOf = (value: unknown): number[] => (value === undefined ? [] : [Number(value)]);

export const countOf = (list: unknown): number[] => (Array.isArray(list) ? [list.length] : []);

const text = (length: number) => "x".repeat(length);

/** A limit on the length of one text property. */
export const characters = (of: string, property: string, most: number, source: string, least = 0): Limit => ({
  of,
  what: `characters of ${property}`,
  source,
  most,
  least,
  measure: (subject) => lengthOf(subject[property]),
  beyond: { [property]: text(most + 1) },
});

/** A limit on one number. */
export const figure = (of: string, property: string, most: number, source: string, least = 0): Limit => ({
  of,
  what: property,
  source,
  most,
  least,
  measure: (subject) => figureOf(subject[property]),
  beyond: { [property]: most + 1 },
});

/** A limit on the length of one list. */
export const count = (of: string, property: string, most: number, source: string): Limit => ({
  of,
  what: property,
  source,
  most,
  measure: (subject) => countOf(subject[property]),
  beyond: { [property]: Array.from({ length: most + 1 }, () => ({})) },
});

/** A limit on the size of one policy document. */
export const policy = (of: string, property: string, most: number, source: string): Limit => ({
  of,
  what: `characters of ${property}, white space not counted`,
  source,
  most,
  measure: (subject) => (subject[property] === undefined ? [] : [policySize(subject[property])]),
  beyond: { [property]: { Statement: [{ Action: text(most) }] } },
});
