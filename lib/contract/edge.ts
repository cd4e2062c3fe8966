/** The header by which CloudFront shows the main API that a request has passed the firewall. */
export const edgeSecretHeader = "x-origin-secret";

/** The environment variable with the value that the header has to have; absent where nothing stands before the API. */
export const EDGE_SECRET = "EDGE_SECRET";
