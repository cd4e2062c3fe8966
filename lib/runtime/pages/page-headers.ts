const types = { html: "text/html", css: "text/css", js: "text/javascript" } as const;

/** The files of a page lie below web/, and the build puts them beside the function that answers them. */
export type PageFile = `${string}.${keyof typeof types}`;

/** Where a page has images from, and what stands in frames on it, as in its policy; no frames by default. */
interface PageSources {
  readonly images: string;
  readonly frames?: string;
}

/** Nothing but the page's own files and routes: what others have said could load and send nothing. */
const contentSecurityPolicy = ({ images, frames = "'none'" }: PageSources) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src ${images}`,
    `frame-src ${frames}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");

/** The headers with which a file of a page is answered. */
export function pageHeaders(file: PageFile, sources: PageSources): Readonly<Record<string, string>> {
  const [, extension] = file.split(".") as [string, keyof typeof types];
  return {
    "content-type": `${types[extension]}; charset=utf-8`,
    "content-security-policy": contentSecurityPolicy(sources),
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
  };
}
