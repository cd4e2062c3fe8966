import { pageHeaders } from "../../runtime/http/page-headers.ts";

/** Files of the review page, below web/. The build bundles them with the function of the page. */
export const reviewFiles = [
  "review.html",
  "page.css",
  "portal.css",
  "review.css",
  "review.js",
  "review-parts.js",
  "review-pages.js",
] as const;

/** Response headers of a page file. The page shows images and documents as blobs that its script loads. */
export const reviewHeaders = (file: (typeof reviewFiles)[number]): Readonly<Record<string, string>> =>
  pageHeaders(file, { images: "data: blob:", frames: "blob:" });
