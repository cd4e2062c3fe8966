import { isJsonObject } from "../../domain/shared/json.ts";

/** Looks up the references of one template. Every lookup throws for an unknown name. */
export interface IntrinsicScope {
  /** The value of a parameter, a pseudo parameter or a resource's `Ref`. */
  ref(name: string): unknown;
  attribute(logicalId: string, name: string): unknown;
  condition(name: string): boolean;
  /** The value that another stack exports under this name. */
  importValue(exportName: string): unknown;
}

/** The value of `Ref: AWS::NoValue`. The property or element that contains it is removed. */
export const NO_VALUE = Symbol("AWS::NoValue");

/**
 * Replaces the intrinsic functions of a template value by their results
 * (CloudFormation template reference, "Intrinsic functions").
 * @throws Error for an unsupported or malformed function.
 */
export function resolveIntrinsics(value: unknown, scope: IntrinsicScope): unknown {
  if (Array.isArray(value))
    return value.map((element) => resolveIntrinsics(element, scope)).filter((e) => e !== NO_VALUE);
  if (!isJsonObject(value)) return value;
  const [name, ...others] = Object.keys(value);
  if (name !== undefined && others.length === 0 && (name === "Ref" || name.startsWith("Fn::"))) {
    const intrinsic = intrinsics[name];
    if (!intrinsic) throw new Error(`the local cloud does not support the intrinsic function ${name}`);
    return intrinsic(value[name], scope);
  }
  const entries = Object.entries(value).map(([key, inner]) => [key, resolveIntrinsics(inner, scope)] as const);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== NO_VALUE));
}

type Intrinsic = (argument: unknown, scope: IntrinsicScope) => unknown;

const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: (name, scope) => scope.ref(requireText(name)),
  "Fn::GetAtt": (path, scope) => {
    const [logicalId, attribute] = Array.isArray(path) ? path : splitOnce(requireText(path), ".");
    return scope.attribute(requireText(logicalId), requireText(resolveIntrinsics(attribute, scope)));
  },
  "Fn::Join": (argument, scope) => {
    const [delimiter, parts] = requirePair(argument);
    return requireList(resolveIntrinsics(parts, scope)).map(requireText).join(requireText(delimiter));
  },
  "Fn::Split": (argument, scope) => {
    const [delimiter, whole] = requirePair(argument);
    return requireText(resolveIntrinsics(whole, scope)).split(requireText(delimiter));
  },
  "Fn::Select": (argument, scope) => {
    const [index, from] = requirePair(argument);
    const selected = requireList(resolveIntrinsics(from, scope))[Number(resolveIntrinsics(index, scope))];
    if (selected === undefined) throw new Error(`Fn::Select has no element ${JSON.stringify(index)}`);
    return selected;
  },
  "Fn::Sub": (argument, scope) => {
    const [template, variables] = Array.isArray(argument) ? argument : [argument, {}];
    return substitute(requireText(template), variables, scope);
  },
  "Fn::ImportValue": (name, scope) => scope.importValue(requireText(resolveIntrinsics(name, scope))),
  "Fn::If": (argument, scope) => {
    const [condition, whenTrue, whenFalse] = requireList(argument);
    return resolveIntrinsics(scope.condition(requireText(condition)) ? whenTrue : whenFalse, scope);
  },
};

/** Evaluates a condition of a template's Conditions section. */
export function evaluateCondition(condition: unknown, scope: IntrinsicScope): boolean {
  const [entry, ...others] = isJsonObject(condition) ? Object.entries(condition) : [];
  if (!entry || others.length > 0) throw new Error(`not a condition: ${JSON.stringify(condition)}`);
  const [name, argument] = entry;
  switch (name) {
    case "Condition":
      return scope.condition(requireText(argument));
    case "Fn::Equals": {
      const [left, right] = requirePair(argument).map((side) => JSON.stringify(resolveIntrinsics(side, scope)));
      return left === right;
    }
    case "Fn::Not":
      return !requireList(argument).every((inner) => evaluateCondition(inner, scope));
    case "Fn::And":
      return requireList(argument).every((inner) => evaluateCondition(inner, scope));
    case "Fn::Or":
      return requireList(argument).some((inner) => evaluateCondition(inner, scope));
    default:
      throw new Error(`the local cloud does not support the condition function ${name}`);
  }
}

/** Fn::Sub: replaces `${Name}` and `${LogicalId.Attribute}`. `${!Literal}` becomes `${Literal}`. */
function substitute(template: string, variables: unknown, scope: IntrinsicScope): string {
  return template.replace(/\$\{([^}]+)\}/g, (_, inner: string) => {
    if (inner.startsWith("!")) return `\${${inner.slice(1)}}`;
    if (isJsonObject(variables) && inner in variables) return requireText(resolveIntrinsics(variables[inner], scope));
    const [logicalId, attribute] = splitOnce(inner, ".");
    return requireText(attribute === undefined ? scope.ref(inner) : scope.attribute(logicalId, attribute));
  });
}

function splitOnce(whole: string, delimiter: string): [string, string | undefined] {
  const at = whole.indexOf(delimiter);
  return at < 0 ? [whole, undefined] : [whole.slice(0, at), whole.slice(at + delimiter.length)];
}

function requireText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new Error(`expected a string, got ${JSON.stringify(value)}`);
}

function requireList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error(`expected a list, got ${JSON.stringify(value)}`);
  return value;
}

function requirePair(value: unknown): [unknown, unknown] {
  const [first, second, ...others] = requireList(value);
  if (second === undefined || others.length > 0) throw new Error(`expected two values, got ${JSON.stringify(value)}`);
  return [first, second];
}
