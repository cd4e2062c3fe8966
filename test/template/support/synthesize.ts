import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App } from "aws-cdk-lib/core";
import * as z from "zod";
import { contracts } from "../../../functions/index.ts";
import { bundleFunctions } from "../../../lib/build/bundle.ts";
import {
  type ResolvedAssembly,
  type ResolvedResource,
  readAssembly,
} from "../../../lib/local/template/read-assembly.ts";
import { createTributaryApp } from "../../../lib/stacks/tributary-app.ts";

const template = z.looseObject({
  Resources: z.record(z.string(), z.looseObject({ Type: z.string(), Properties: z.looseObject({}).default({}) })),
});

/** One synthesized stack as CloudFormation receives it. */
export interface StackTemplate {
  readonly name: string;
  /** The text of the template file. */
  readonly text: string;
  readonly resources: z.output<typeof template>["Resources"];
}

/** The whole synthesized service. */
export interface SynthesizedService {
  readonly app: App;
  readonly templates: readonly StackTemplate[];
  /** The same with every reference resolved, as the local cloud reads it. */
  readonly assembly: ResolvedAssembly;
}

type Settings = Readonly<Record<string, unknown>>;

/** The latest services of this process. Test files of a process share them, and nothing changes one. */
const synthesized = new Map<string, SynthesizedService>();
/** A service takes about 100 MB. */
const MAX_KEPT = 3;

/** Synthesizes the app with one-line functions, once for the same settings. Their code does not affect a template. */
export function synthesizeService(settings: Settings = {}): SynthesizedService {
  const key = JSON.stringify(settings);
  const service = synthesized.get(key) ?? synthesizePlaceholders(settings);
  synthesized.delete(key);
  synthesized.set(key, service);
  for (const oldest of [...synthesized.keys()].slice(0, -MAX_KEPT)) synthesized.delete(oldest);
  return service;
}

function synthesizePlaceholders(settings: Settings): SynthesizedService {
  placeholders ??= writePlaceholders();
  const directory = newDirectory();
  try {
    return synthesizeIn(directory, placeholders, settings);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

let placeholders: string | undefined;

/** Writes one line of code per function. @returns the folder, which the process removes at its end. */
function writePlaceholders(): string {
  const directory = newDirectory();
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  for (const { operationId } of contracts) {
    mkdirSync(join(directory, operationId));
    writeFileSync(join(directory, operationId, "index.mjs"), `// ${operationId}`);
  }
  return directory;
}

/**
 * Synthesizes the app as for deployment, with bundled functions.
 * @param cache folder of the cache of functions; without one everything is bundled.
 */
export async function synthesizeBundledService(cache?: string): Promise<SynthesizedService> {
  const directory = newDirectory();
  try {
    await bundleFunctions(join(directory, "functions"), cache);
    return synthesizeIn(directory, join(directory, "functions"), {});
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const newDirectory = () => mkdtempSync(join(tmpdir(), "templates-"));

function synthesizeIn(directory: string, bundleDirectory: string, settings: Settings): SynthesizedService {
  const outdir = join(directory, "assembly");
  const app = createTributaryApp({ "aws:cdk:disable-asset-staging": true, bundleDirectory, ...settings }, outdir);
  app.synth();
  const assembly = readAssembly(outdir, { region: "us-east-1", queueOrigin: "http://127.0.0.1:9324" });
  return { app, templates: readTemplates(outdir), assembly };
}

const SUFFIX = ".template.json";

function readTemplates(directory: string): StackTemplate[] {
  const files = readdirSync(directory).filter((file) => file.endsWith(SUFFIX));
  return files.sort().map((file) => {
    const text = readFileSync(join(directory, file), "utf8");
    return { name: file.slice(0, -SUFFIX.length), text, resources: template.parse(JSON.parse(text)).Resources };
  });
}

/** The resources of one type. */
export function resourcesOfType({ assembly }: SynthesizedService, type: string): ResolvedResource[] {
  return assembly.resources.filter((resource) => resource.type === type);
}

/**
 * Finds the resource whose logical id is `id` plus CDK's hash, which the simplest ids lack.
 * @throws Error unless exactly one matches.
 */
export function findResource(service: SynthesizedService, type: string, id: string): ResolvedResource {
  const isIt = new RegExp(`^${id}([0-9A-F]{8})?$`);
  const found = resourcesOfType(service, type).filter(({ logicalId }) => isIt.test(logicalId));
  if (found.length !== 1) throw new Error(`${found.length} resources are ${type} ${id}`);
  return found[0] as ResolvedResource;
}
