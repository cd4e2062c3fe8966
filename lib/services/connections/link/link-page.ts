import { pageHeaders } from "../../../runtime/http/page-headers.ts";

/** The page on which users connect a provider, and its assets. */
export const linkPage = "link.html";
export const linkPageFiles = [
  "page.css",
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

/** Response headers of the page and its assets. Images are logos of this service and QR codes as data URLs. */
export const linkPageHeaders = (file: typeof linkPage | (typeof linkPageFiles)[number]) =>
  pageHeaders(file, { images: "'self' data:" });
