import stored from "../../data/openapi/examples.json" with { type: "json" };
import type { OpenApiObject } from "./component-schema.ts";

/** What the running service accepted and returned, by method and path. `npm run openapi -- --examples` records it. */
const examples: Readonly<Record<string, { readonly request?: unknown; readonly response?: unknown }>> = stored;

/** Adds the recorded example of a route, or of the route that it is an alias of, to its JSON content. */
export function withExample(
  content: OpenApiObject,
  part: "request" | "response",
  method: string,
  paths: readonly string[],
): OpenApiObject {
  const example = paths.map((path) => examples[`${method} ${path}`]?.[part]).find((one) => one !== undefined);
  const ofTypes = Object.entries((content as { content?: Record<string, object> }).content ?? {});
  const [mediaType, json] = ofTypes.find(([type]) => /^application\/(fhir\+)?json$/.test(type)) ?? [];
  if (example === undefined || mediaType === undefined) return content;
  return { ...content, content: { ...(content.content as object), [mediaType]: { ...json, example } } };
}
