import { type Origin, toWireSource, type WireSource } from "../domain/sources/source.ts";

/** Address of the API as clients see it, without a slash at its end; logos and links begin with it. */
export function baseUrl(): string {
  return process.env.BASE_URL ?? "";
}

/** Name, slug and logo of a provider. */
export function providerSource(slug: string) {
  const { name, logo } = toWireSource({ provider: slug, type: "unknown" }, baseUrl());
  return { name, slug, logo };
}

/** The full `source` of data from this origin. */
export function wireSourceOf(origin: Origin): WireSource {
  return toWireSource(origin, baseUrl());
}
