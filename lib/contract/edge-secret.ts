/** Header with which CloudFront proves to the main API that a request passed the firewall. */
export const edgeSecretHeader = "x-origin-secret";

/** Environment variable with the expected value of the header. Unset where no edge fronts the API. */
export const EDGE_SECRET = "EDGE_SECRET";

/** Environment variable with the URL of the API behind the edge. Unset where no edge fronts the API. */
export const EDGE_ORIGIN = "EDGE_ORIGIN";
