import { ReportRefused } from "../../domain/results/lab-report.ts";
import { bundle, type FhirReference, type FhirReport, type Resource, resource } from "./resources.ts";

/** The resources of a message by the references that point to them. */
export type ResourceIndex = Pick<ReadonlyMap<string, Resource>, "get">;

/** A report with the resources that its references can mean: its contained ones, then those of the message. */
export interface IndexedReport {
  readonly report: FhirReport;
  readonly resources: ResourceIndex;
  /** When the Bundle was assembled, as it says; undefined without a Bundle. */
  readonly timestamp: string | undefined;
}

/**
 * Finds the reports of a DiagnosticReport or Bundle.
 * @throws ReportRefused for an invalid resource. The error names its place.
 */
export function indexReports(root: unknown): IndexedReport[] {
  const shared = new Map<string, Resource>();
  const reports: FhirReport[] = [];
  const add = (candidate: unknown, where: string, address?: string) => {
    const one = readResource(candidate, where);
    for (const key of keysOf(one, address)) shared.set(key, one);
    if (one.resourceType === "DiagnosticReport") reports.push(one as FhirReport);
  };
  const asBundle = bundle.safeParse(root);
  if (!asBundle.success) add(root, "The message");
  else {
    for (const [index, { fullUrl, resource: one }] of asBundle.data.entry.entries()) {
      // An entry without a resource deletes or searches.
      if (one !== undefined && one !== null) add(one, `entry[${index}]`, fullUrl);
    }
  }
  return reports.map((report) => {
    const contained = new Map(indexContained(report));
    // A copy of the shared resources for each report would grow with the square of the Bundle.
    return {
      report,
      resources: { get: (key) => contained.get(key) ?? shared.get(key) },
      timestamp: asBundle.data?.timestamp,
    };
  });
}

/** Ids of contained resources are unique within their report only (FHIR R4, 2.3.0.2). */
function indexContained({ contained = [] }: FhirReport): [string, Resource][] {
  return contained.flatMap((candidate, index) => {
    const one = readResource(candidate, `contained[${index}]`);
    return [...keysOf(one), ...(one.id === undefined ? [] : [`#${one.id}`])].map((key): [string, Resource] => [
      key,
      one,
    ]);
  });
}

function readResource(candidate: unknown, where: string): Resource {
  const read = resource.safeParse(candidate);
  if (!read.success) throw new ReportRefused(`${where} is not a valid FHIR R4 resource.`);
  return read.data;
}

const keysOf = ({ resourceType, id }: Resource, address?: string): string[] => [
  ...(address === undefined ? [] : [address]),
  ...(id === undefined ? [] : [`${resourceType}/${id}`]),
];

/** The version of a resource at the end of a reference. */
const VERSION = /\/_history\/[^/]+$/;

/** Resolves a reference to a resource of a type; undefined if the message does not contain it. */
export function resolveReference<T extends Resource["resourceType"]>(
  resources: ResourceIndex,
  to: FhirReference | undefined,
  type: T,
): Extract<Resource, { resourceType: T }> | undefined {
  const one = resources.get((to?.reference ?? "").replace(VERSION, ""));
  return one?.resourceType === type ? (one as Extract<Resource, { resourceType: T }>) : undefined;
}
