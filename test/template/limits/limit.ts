/** A template as CloudFormation gets it. */
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

/** A figure that AWS refuses to create a resource beyond, at the default of its quota. */
export interface Limit {
  /** The type of resource; `Template` where it is about a whole template, `App` where it is about all of them. */
  readonly of: string;
  readonly what: string;
  /** The documentation of AWS that states the figure. */
  readonly source: string;
  readonly most: number;
  readonly least?: number;
  /** The figures of one resource, template or app; none where it has no such property. */
  readonly measure: (subject: Properties) => readonly number[];
  /** A subject that is beyond the limit, so that it is known that the check can fail. */
  readonly beyond: Properties;
}

/** No reference stands for a longer text: an ARN with the longest name that this service gives. */
const LONGEST_REFERENCE = 160;

/** The longest text that a value of a template can become; references are replaced by as long a text as they may be. */
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

/** The length of a text that may be left out. */
export const lengthOf = (text: unknown): number[] => (text === undefined ? [] : [longestText(text).length]);

/** A number that may be left out. */
export const figureOf = (value: unknown): number[] => (value === undefined ? [] : [Number(value)]);

export const countOf = (list: unknown): number[] => (Array.isArray(list) ? [list.length] : []);

const text = (length: number) => "x".repeat(length);

/** A limit of the length of one text property. */
export const characters = (of: string, property: string, most: number, source: string, least = 0): Limit => ({
  of,
  what: `characters of ${property}`,
  source,
  most,
  least,
  measure: (subject) => lengthOf(subject[property]),
  beyond: { [property]: text(most + 1) },
});

/** A limit of one number. */
export const figure = (of: string, property: string, most: number, source: string, least = 0): Limit => ({
  of,
  what: property,
  source,
  most,
  least,
  measure: (subject) => figureOf(subject[property]),
  beyond: { [property]: most + 1 },
});

/** A limit of the length of one list. */
export const count = (of: string, property: string, most: number, source: string): Limit => ({
  of,
  what: property,
  source,
  most,
  measure: (subject) => countOf(subject[property]),
  beyond: { [property]: Array.from({ length: most + 1 }, () => ({})) },
});

/** A limit of the size of one policy document. */
export const policy = (of: string, property: string, most: number, source: string): Limit => ({
  of,
  what: `characters of ${property}, white space not counted`,
  source,
  most,
  measure: (subject) => (subject[property] === undefined ? [] : [policySize(subject[property])]),
  beyond: { [property]: { Statement: [{ Action: text(most) }] } },
});
