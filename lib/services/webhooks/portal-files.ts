import { pageHeaders } from "../../runtime/http/page-headers.ts";

/** The files of the webhook portal. */
export const webhookPortalFiles = [
  "portal.html",
  "page.css",
  "portal.css",
  "portal-parts.css",
  "portal.js",
  "portal-parts.js",
] as const;

/** Response headers of a file of the webhook portal. */
export const webhookPortalHeaders = (file: (typeof webhookPortalFiles)[number]) =>
  pageHeaders(file, { images: "data:" });
