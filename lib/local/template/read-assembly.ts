import { isJsonObject } from "../../domain/shared/json.ts";
import { physicalNames } from "./physical-names.ts";
import { readCloudAssembly, type Template } from "./read-cloud-assembly.ts";
import { LOCAL_ACCOUNT, type LocalEnvironment, StackScope } from "./stack-scope.ts";

/** A resource of a template with all references resolved. */
export interface ResolvedResource {
  readonly stack: string;
  readonly logicalId: string;
  /** CloudFormation type, for example `AWS::SQS::Queue`. */
  readonly type: string;
  /** The physical name: explicit, or derived from stack and logical id. */
  readonly name: string;
  /** The value of `Ref`; undefined for an unsupported type. */
  readonly ref: string | undefined;
  /** The value of `Fn::GetAtt Arn`, if the type has this attribute. */
  readonly arn: string | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** A stack and its outputs by logical id. */
interface StackOutputs {
  readonly name: string;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** A synthesized app with all references resolved. */
export interface ResolvedAssembly {
  readonly region: string;
  readonly account: string;
  /** In dependency order. */
  readonly stacks: readonly StackOutputs[];
  /** In the order of their stacks, without resources whose condition is false. */
  readonly resources: readonly ResolvedResource[];
  /** Absolute path of an asset: by content hash, by `S3Key` of a function's Code, or by path inside the assembly. */
  asset(hashOrPath: string): string;
}

/**
 * Reads a cloud assembly directory and resolves all intrinsic functions.
 * @throws Error with stack and logical id for a reference that the local cloud does not support.
 */
export function readAssembly(directory: string, place: LocalEnvironment): ResolvedAssembly {
  const { stacks, assets } = readCloudAssembly(directory);
  const exports = new Map<string, () => unknown>();
  const importValue = (name: string) => {
    const value = exports.get(name);
    if (!value) throw new Error(`no stack has the export ${name}`);
    return value();
  };
  const scoped = stacks.map(({ name, template }) => {
    const scope = new StackScope(name, template, place, importValue);
    for (const [id, { Value, Export }] of Object.entries(template.Outputs)) {
      if (Export) exports.set(String(scope.resolve(Export.Name, id)), () => scope.resolve(Value, id));
    }
    return { scope, template };
  });
  return {
    region: place.region,
    account: LOCAL_ACCOUNT,
    stacks: scoped.map(({ scope, template }) => ({ name: scope.stack, outputs: resolveOutputs(scope, template) })),
    resources: scoped.flatMap(({ scope, template }) => resolveResources(scope, template)),
    asset: (hashOrPath) => {
      const path = assets.get(hashOrPath);
      if (path === undefined) throw new Error(`the assembly has no asset ${hashOrPath}`);
      return path;
    },
  };
}

function resolveOutputs(scope: StackScope, template: Template): Record<string, unknown> {
  const entries = Object.entries(template.Outputs);
  return Object.fromEntries(entries.map(([id, output]) => [id, scope.resolve(output.Value, id)]));
}

function resolveResources(scope: StackScope, template: Template): ResolvedResource[] {
  const present = Object.entries(template.Resources).filter(
    ([, { Condition }]) => Condition === undefined || scope.condition(Condition),
  );
  return present.map(([logicalId, { Type, Properties }]) => {
    const properties = scope.resolve(Properties, logicalId);
    return {
      stack: scope.stack,
      logicalId,
      type: Type,
      name: scope.physicalName(logicalId),
      ref: physicalNames[Type] ? String(scope.ref(logicalId)) : undefined,
      arn: physicalNames[Type]?.attributes?.Arn ? scope.attribute(logicalId, "Arn") : undefined,
      properties: isJsonObject(properties) ? properties : {},
    };
  });
}
