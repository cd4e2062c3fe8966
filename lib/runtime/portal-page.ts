/** The files of the webhook portal below web/, which the build puts beside the function that answers them. */
export const portalFiles = ["portal.html", "portal.css", "portal-parts.css", "portal.js", "portal-parts.js"] as const;

/** Nothing but the page's own files and routes: what a receiver has answered could load and send nothing. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const types = { html: "text/html", css: "text/css", js: "text/javascript" } as const;

/** The headers with which a file of the page is answered. */
export const portalHeaders = (file: (typeof portalFiles)[number]): Readonly<Record<string, string>> =>
  pageHeaders(file, CONTENT_SECURITY_POLICY);

/** The headers of a file of a page that may load and send what its policy says. */
export function pageHeaders(file: string, policy: string): Readonly<Record<string, string>> {
  const [, extension] = file.split(".") as [string, keyof typeof types];
  return {
    "content-type": `${types[extension]}; charset=utf-8`,
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
  };
}
