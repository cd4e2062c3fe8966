const types = { html: "text/html", css: "text/css", js: "text/javascript" } as const;

/** A file of a web page. Sources are in web/; the build copies them next to the function that serves them. */
export type PageFile = `${string}.${keyof typeof types}`;

/** Allowed sources of a page, as in its content security policy. Frames are off by default. */
interface PageSources {
  readonly images: string;
  readonly frames?: string;
  readonly styles?: string;
  /** Whether only trusted types reach places that parse markup or code. */
  readonly trustedTypes?: boolean;
}

/** Allows the page's own files and routes only, so injected content can neither load nor send anything. */
const contentSecurityPolicy = ({ images, frames = "'none'", styles = "'self'", trustedTypes = true }: PageSources) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "connect-src 'self'",
    `img-src ${images}`,
    `frame-src ${frames}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...(trustedTypes ? ["require-trusted-types-for 'script'"] : []),
  ].join("; ");

/** Response headers of a file of a page. */
export function pageHeaders(file: PageFile, sources: PageSources): Readonly<Record<string, string>> {
  const [, extension] = file.split(".") as [string, keyof typeof types];
  return {
    "content-type": `${types[extension]}; charset=utf-8`,
    "content-security-policy": contentSecurityPolicy(sources),
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
  };
}
