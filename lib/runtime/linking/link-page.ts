import { pageHeaders } from "../pages/page-headers.ts";

/** The page on which users link a provider, and what it loads. */
export const linkPage = "link.html";
export const linkPageFiles = [
  "link.css",
  "link-parts.css",
  "link.js",
  "link-form.js",
  "link-list.js",
  "link-parts.js",
  "link-phone.js",
  "link-service.js",
  "link-words.js",
] as const;

/** The headers of the page and its files; logos are this service's own, QR codes come within answers. */
export const linkHeaders = (file: typeof linkPage | (typeof linkPageFiles)[number]) =>
  pageHeaders(file, { images: "'self' data:" });
