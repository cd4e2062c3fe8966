import { StartRefused } from "../../local/start-refused.ts";
import { readVariable } from "../frame/read-variable.ts";

const MAX_PORT = 65_535;

/** Reads the ports of both APIs. @throws StartRefused for an invalid port. */
export function readPorts(): { readonly port: number; readonly managementPort: number } {
  const port = readPort("PORT", 3000);
  if (port === MAX_PORT && readVariable("MANAGEMENT_PORT") === undefined)
    throw new StartRefused(`PORT must be below ${MAX_PORT}, because the management API takes the next one`);
  return { port, managementPort: readPort("MANAGEMENT_PORT", port + 1) };
}

/** Reads a port from the environment. @throws StartRefused for an invalid port. */
export function readPort(name: string, fallback: number): number {
  const port = Number(readVariable(name) ?? fallback);
  if (!Number.isInteger(port) || port < 1 || port > MAX_PORT) throw new StartRefused(`${name} must be a port number`);
  return port;
}
