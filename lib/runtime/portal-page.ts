import { pageHeaders } from "./pages/page-headers.ts";

/** The files of the webhook portal. */
export const portalFiles = ["portal.html", "portal.css", "portal-parts.css", "portal.js", "portal-parts.js"] as const;

/** Response headers of a file of the webhook portal. */
export const portalHeaders = (file: (typeof portalFiles)[number]) => pageHeaders(file, { images: "data:" });
