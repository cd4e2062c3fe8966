import { StartRefused } from "../../local/start-refused.ts";
import { readVariable } from "../frame/read-variable.ts";

/** Reads a port from the environment. @throws StartRefused for an invalid port. */
export function readPort(name: string, fallback: number): number {
  const port = Number(readVariable(name) ?? fallback);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new StartRefused(`${name} must be a port number`);
  return port;
}
