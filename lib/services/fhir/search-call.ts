import type { APIGatewayProxyEventV2 } from "aws-lambda";
import * as z from "zod";
import type { EndpointContract } from "../../contract/endpoint.ts";
import type { BundleEntry, SearchBundle } from "../../domain/fhir/resources.ts";
import { pageSize, parsePatient } from "../../domain/fhir/search-query.ts";
import { ValidationFailed } from "../../runtime/errors.ts";
import type { PageCursor } from "../../runtime/http/page-cursor.ts";
import { baseUrl } from "../../runtime/wire-source.ts";
import type { FhirPage, PagePosition } from "./fhir-page.ts";

/** The parts of a call that a search reads. */
export interface SearchCall {
  readonly event: APIGatewayProxyEventV2;
  readonly pages: PageCursor;
  readonly query: { readonly _count: number; readonly cursor?: string | undefined };
}

/**
 * Parameters of FHIR that change which resources match or which come first, and that this service cannot answer.
 * Refused, never ignored: with `_sort` and `_count`, callers ask for the latest value.
 */
const unanswerable = ["_lastUpdated", "_filter", "_query", "_list", "_has", "_text", "_content", "_sort"];

/** The names of the parameters that a route has. */
export const parameterNames = ({ query }: Pick<EndpointContract, "query">): string[] => Object.keys(query.shape);

/** The URL of the FHIR interface. */
export const fhirUrl = () => `${baseUrl()}/fhir`;

const refuse = (name: string, reason: string) => ValidationFailed.at(["query", name], reason);

/**
 * Checks the names of the parameters of a search. Unknown ones are refused if the caller prefers strict handling, and
 * ignored otherwise (FHIR R4, section 3.1.1.2).
 * @param known names of the parameters of the search.
 * @throws ValidationFailed for an unknown parameter, a modifier, or one that would change the result.
 */
export function checkParameterNames(known: readonly string[], event: APIGatewayProxyEventV2): void {
  const isStrict = /\bhandling\s*=\s*strict\b/i.test(event.headers.prefer ?? "");
  const given = new URLSearchParams(event.rawQueryString);
  if (given.getAll("_summary").includes("count")) throw refuse("_summary", "This service does not count resources");
  for (const name of new Set(given.keys())) {
    if (known.includes(name)) continue;
    const [base = ""] = name.split(/[:.]/);
    if (unanswerable.includes(base)) throw refuse(name, "This service does not support this parameter");
    if (known.includes(base)) throw refuse(name, "This service supports no modifiers and chains");
    if (isStrict) throw refuse(name, "Unknown parameter");
  }
}

/** The one user of a search. @throws ValidationFailed for anything but references to one patient. */
export function requirePatient(references: readonly string[]): string {
  const [userId, ...others] = references.map(parsePatient);
  if (!userId || others.some((other) => other !== userId)) throw refuse("patient", "Not the id of one patient");
  return userId;
}

const anyPosition = z.array(z.union([z.string().max(1_024), z.number()])).min(1);

/** Reads the position after which the requested page begins. @throws ValidationFailed for a foreign cursor. */
export const pagePosition = ({ pages, query }: SearchCall): PagePosition | undefined =>
  pages.read(query.cursor, anyPosition, ["query", "cursor"]);

/** Renders a page of a search. Its link `self` has the parameters that counted, and `next` the next page. */
export function toSearchBundle(
  known: readonly string[],
  { event, pages, query: { _count } }: SearchCall,
  { found, next }: FhirPage,
  more: readonly BundleEntry[] = [],
): SearchBundle {
  const self = new URLSearchParams(
    [...new URLSearchParams(event.rawQueryString)].filter(([name]) => known.includes(name)),
  );
  self.set("_count", String(pageSize(_count)));
  const url = (search: URLSearchParams) => `${baseUrl()}${event.rawPath}?${search}`;
  const following = new URLSearchParams(self);
  if (next) following.set("cursor", pages.write(next));
  const entry = [...found.map(({ resource }) => toEntry(resource)), ...more];
  return {
    resourceType: "Bundle",
    type: "searchset",
    link: [{ relation: "self", url: url(self) }, ...(next ? [{ relation: "next" as const, url: url(following) }] : [])],
    // FHIR forbids empty lists (section 2.6.2).
    ...(entry.length === 0 ? {} : { entry }),
  };
}

const toEntry = (resource: { readonly resourceType: string; readonly id: string }): BundleEntry => ({
  fullUrl: `${fhirUrl()}/${resource.resourceType}/${resource.id}`,
  resource,
  search: { mode: "match" },
});
