import { fhirUrl } from "../search-call.ts";

/** The URL of the token endpoint, which assertions name as audience. */
export const tokenUrl = (): string => `${fhirUrl()}/auth/token`;
