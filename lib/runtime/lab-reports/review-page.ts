import { pageHeaders } from "../pages/page-headers.ts";

/** The files of the page on which a report is looked through, below web/; the build puts them beside its function. */
export const reviewFiles = [
  "review.html",
  "portal.css",
  "review.css",
  "review.js",
  "review-parts.js",
  "review-pages.js",
] as const;

/** The headers with which a file of the page is answered: its script loads pictures and documents by its own routes. */
export const reviewHeaders = (file: (typeof reviewFiles)[number]): Readonly<Record<string, string>> =>
  pageHeaders(file, { images: "data: blob:", frames: "blob:" });
