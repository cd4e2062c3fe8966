import type { SimulatedReply } from "../base/simulated-http.ts";

/** The error format of the API: a name and a code. The documents state no HTTP statuses. */
export const ihealthError = (status: number, code: string, name: string): SimulatedReply => ({
  status,
  body: { Error: name, ErrorCode: code, ErrorDescription: name },
});
