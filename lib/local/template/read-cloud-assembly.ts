import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as z from "zod";

const manifest = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      type: z.string(),
      dependencies: z.array(z.string()).default([]),
      properties: z
        .object({ templateFile: z.string().optional(), stackName: z.string().optional(), file: z.string().optional() })
        .default({}),
    }),
  ),
});

const assetManifest = z.object({
  files: z
    .record(
      z.string(),
      z.object({
        source: z.object({ path: z.string() }),
        destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
      }),
    )
    .default({}),
});

const template = z.object({
  Parameters: z.record(z.string(), z.object({ Default: z.unknown() })).default({}),
  Conditions: z.record(z.string(), z.unknown()).default({}),
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Condition: z.string().optional(),
      Properties: z.record(z.string(), z.unknown()).default({}),
    }),
  ),
  Outputs: z
    .record(z.string(), z.object({ Value: z.unknown(), Export: z.object({ Name: z.unknown() }).optional() }))
    .default({}),
});

/** The part of a CloudFormation template that the local cloud reads. */
export type Template = z.output<typeof template>;

/** The content of a cloud assembly directory, with unresolved intrinsic functions. */
export interface CloudAssembly {
  /** The stacks, in dependency order. */
  readonly stacks: readonly { readonly name: string; readonly template: Template }[];
  /** Absolute paths of assets by content hash, by object key and by path inside the assembly. */
  readonly assets: ReadonlyMap<string, string>;
}

/**
 * Reads a directory that `app.synth()` or `cdk synth` has written: manifest.json, templates and asset manifests.
 * @throws Error or ZodError when a file is missing or invalid.
 */
export function readCloudAssembly(directory: string): CloudAssembly {
  const read = <S extends z.ZodType>(file: string, schema: S) =>
    schema.parse(JSON.parse(readFileSync(join(directory, file), "utf8")));
  const { artifacts } = read("manifest.json", manifest);
  const stacks = [];
  const assets = new Map<string, string>();
  for (const id of sortByDependency(artifacts)) {
    const artifact = artifacts[id];
    const { templateFile, stackName, file } = artifact?.properties ?? {};
    if (artifact?.type === "aws:cloudformation:stack" && templateFile !== undefined) {
      stacks.push({ name: stackName ?? id, template: read(templateFile, template) });
    } else if (artifact?.type === "cdk:asset-manifest" && file !== undefined) {
      for (const [hash, { source, destinations }] of Object.entries(read(file, assetManifest).files)) {
        const path = resolve(directory, source.path);
        const objectKeys = Object.values(destinations).map((destination) => destination.objectKey);
        for (const name of [hash, source.path, ...objectKeys]) assets.set(name, path);
      }
    }
  }
  return { stacks, assets };
}

function sortByDependency(artifacts: z.output<typeof manifest>["artifacts"]): Set<string> {
  const ordered = new Set<string>();
  const visit = (id: string, path: readonly string[]) => {
    if (path.includes(id)) throw new Error(`the stacks depend on each other: ${[...path, id].join(" -> ")}`);
    for (const dependency of artifacts[id]?.dependencies ?? []) visit(dependency, [...path, id]);
    ordered.add(id);
  };
  for (const id of Object.keys(artifacts)) visit(id, []);
  return ordered;
}
