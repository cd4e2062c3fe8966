import type { Answer, TestService } from "../../../support/service.ts";

type Body = Answer["body"];

/** Reads a path below `/fhir`, or the URL of a link of a Bundle. */
export const readFhir = (
  service: TestService,
  path: string,
  options: { key?: string | null; headers?: Record<string, string> } = {},
): Promise<Answer> =>
  service.call("GET", path.startsWith("http") ? path.slice(service.baseUrl.length) : `/fhir${path}`, options);

/** The resources of a Bundle. */
export const resourcesOf = ({ entry = [] }: Body): Body[] => entry.map(({ resource }: Body) => resource);

const nextOf = ({ link }: Body): string | undefined => link.find(({ relation }: Body) => relation === "next")?.url;

/** Reads all pages of a search. @returns the resources of each page. */
export async function readPages(service: TestService, path: string, options?: { key?: string }): Promise<Body[][]> {
  const pages: Body[][] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, body }: Answer = await readFhir(service, next, options);
    if (status !== 200) throw new Error(`${next}: ${status} ${JSON.stringify(body)}`);
    pages.push(resourcesOf(body));
    next = nextOf(body);
  }
  return pages;
}

/** Reads all resources of a search. */
export const readAll = async (service: TestService, path: string): Promise<Body[]> =>
  (await readPages(service, path)).flat();
