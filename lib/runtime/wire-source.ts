import { type SourceOrigin, toWireSource, type WireSource } from "../domain/connections/sources/source.ts";

/** Public base URL of the API, without a trailing slash. Logos and links start with it. */
export function baseUrl(): string {
  return process.env.BASE_URL ?? "";
}

/** Name, slug and logo of a provider. */
export function providerSource(slug: string) {
  const { name, logo } = toWireSource({ provider: slug, type: "unknown" }, baseUrl());
  return { name, slug, logo };
}

/** The wire `source` of data from this origin. */
export function wireSourceOf(origin: SourceOrigin): WireSource {
  return toWireSource(origin, baseUrl());
}
