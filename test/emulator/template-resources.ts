import { readdirSync, readFileSync } from "node:fs";

/** A resource of a synthesized template. */
interface TemplateResource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
}

/** All resources of the templates in cdk.out/, by logical id. */
export const listTemplateResources = (): [logicalId: string, TemplateResource][] =>
  readdirSync("cdk.out")
    .filter((file) => file.endsWith(".template.json"))
    .flatMap((file) => Object.entries(JSON.parse(readFileSync(`cdk.out/${file}`, "utf8")).Resources));
