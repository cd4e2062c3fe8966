/** Looks up the references of one template. Every lookup throws for an unknown name. */
export interface Scope {
  /** The value of a parameter, a pseudo parameter or a resource's `Ref`. */
  ref(name: string): unknown;
  attribute(logicalId: string, name: string): unknown;
  condition(name: string): boolean;
  /** The value that another stack exports under this name. */
  importValue(exportName: string): unknown;
}

/** The value of `Ref: AWS::NoValue`. The property or element that contains it is removed. */
export const NO_VALUE = Symbol("AWS::NoValue");

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Replaces the intrinsic functions of a template value by their results
 * (CloudFormation template reference, "Intrinsic functions").
 * @throws Error for an unsupported or malformed function.
 */
export function resolve(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return value.map((element) => resolve(element, scope)).filter((e) => e !== NO_VALUE);
  if (!isRecord(value)) return value;
  const [name, ...others] = Object.keys(value);
  if (name !== undefined && others.length === 0 && (name === "Ref" || name.startsWith("Fn::"))) {
    const intrinsic = intrinsics[name];
    if (!intrinsic) throw new Error(`the local cloud does not support the intrinsic function ${name}`);
    return intrinsic(value[name], scope);
  }
  const entries = Object.entries(value).map(([key, inner]) => [key, resolve(inner, scope)] as const);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== NO_VALUE));
}

type Intrinsic = (argument: unknown, scope: Scope) => unknown;

const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: (name, scope) => scope.ref(text(name)),
  "Fn::GetAtt": (path, scope) => {
    const [logicalId, attribute] = Array.isArray(path) ? path : splitOnce(text(path), ".");
    return scope.attribute(text(logicalId), text(resolve(attribute, scope)));
  },
  "Fn::Join": (argument, scope) => {
    const [delimiter, parts] = pair(argument);
    return list(resolve(parts, scope)).map(text).join(text(delimiter));
  },
  "Fn::Split": (argument, scope) => {
    const [delimiter, whole] = pair(argument);
    return text(resolve(whole, scope)).split(text(delimiter));
  },
  "Fn::Select": (argument, scope) => {
    const [index, from] = pair(argument);
    const selected = list(resolve(from, scope))[Number(resolve(index, scope))];
    if (selected === undefined) throw new Error(`Fn::Select has no element ${JSON.stringify(index)}`);
    return selected;
  },
  "Fn::Sub": (argument, scope) => {
    const [template, variables] = Array.isArray(argument) ? argument : [argument, {}];
    return substitute(text(template), variables, scope);
  },
  "Fn::ImportValue": (name, scope) => scope.importValue(text(resolve(name, scope))),
  "Fn::If": (argument, scope) => {
    const [condition, whenTrue, whenFalse] = list(argument);
    return resolve(scope.condition(text(condition)) ? whenTrue : whenFalse, scope);
  },
};

/** Evaluates a condition of a template's Conditions section. */
export function holds(condition: unknown, scope: Scope): boolean {
  const [entry, ...others] = isRecord(condition) ? Object.entries(condition) : [];
  if (!entry || others.length > 0) throw new Error(`not a condition: ${JSON.stringify(condition)}`);
  const [name, argument] = entry;
  switch (name) {
    case "Condition":
      return scope.condition(text(argument));
    case "Fn::Equals": {
      const [left, right] = pair(argument).map((side) => JSON.stringify(resolve(side, scope)));
      return left === right;
    }
    case "Fn::Not":
      return !list(argument).every((inner) => holds(inner, scope));
    case "Fn::And":
      return list(argument).every((inner) => holds(inner, scope));
    case "Fn::Or":
      return list(argument).some((inner) => holds(inner, scope));
    default:
      throw new Error(`the local cloud does not support the condition function ${name}`);
  }
}

/** Fn::Sub: replaces `${Name}` and `${LogicalId.Attribute}`. `${!Literal}` becomes `${Literal}`. */
function substitute(template: string, variables: unknown, scope: Scope): string {
  return template.replace(/\$\{([^}]+)\}/g, (_, inner: string) => {
    if (inner.startsWith("!")) return `\${${inner.slice(1)}}`;
    if (isRecord(variables) && inner in variables) return text(resolve(variables[inner], scope));
    const [logicalId, attribute] = splitOnce(inner, ".");
    return text(attribute === undefined ? scope.ref(inner) : scope.attribute(logicalId, attribute));
  });
}

function splitOnce(whole: string, delimiter: string): [string, string | undefined] {
  const at = whole.indexOf(delimiter);
  return at < 0 ? [whole, undefined] : [whole.slice(0, at), whole.slice(at + delimiter.length)];
}

function text(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new Error(`expected a string, got ${JSON.stringify(value)}`);
}

function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error(`expected a list, got ${JSON.stringify(value)}`);
  return value;
}

function pair(value: unknown): [unknown, unknown] {
  const [first, second, ...others] = list(value);
  if (second === undefined || others.length > 0) throw new Error(`expected two values, got ${JSON.stringify(value)}`);
  return [first, second];
}
