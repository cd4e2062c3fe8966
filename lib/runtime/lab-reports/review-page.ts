import { pageHeaders } from "../portal-page.ts";

/** The files of the page on which a report is looked through, below web/; the build puts them beside its function. */
export const reviewFiles = [
  "review.html",
  "portal.css",
  "review.css",
  "review.js",
  "review-parts.js",
  "review-pages.js",
] as const;

/** Nothing but the page's own files and routes, and what its script has loaded by these: pictures and documents. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data: blob:",
  "frame-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

/** The headers with which a file of the page is answered. */
export const reviewHeaders = (file: (typeof reviewFiles)[number]): Readonly<Record<string, string>> =>
  pageHeaders(file, CONTENT_SECURITY_POLICY);
