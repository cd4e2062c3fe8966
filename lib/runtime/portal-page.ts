import { pageHeaders } from "./pages/page-headers.ts";

/** The files of the webhook portal. */
export const portalFiles = ["portal.html", "portal.css", "portal-parts.css", "portal.js", "portal-parts.js"] as const;

/** The headers with which a file of the portal is answered. */
export const portalHeaders = (file: (typeof portalFiles)[number]) => pageHeaders(file, { images: "data:" });
