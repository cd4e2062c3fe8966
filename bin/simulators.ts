import { VirtualClock } from "../lib/local/clock.ts";
import { ProviderServer } from "../lib/simulators/providers/provider-server.ts";

const DEFAULT_PORT = 3010;

/** Parses the port. 0 means any free port. */
function parsePort(text: string | undefined): number {
  const port = Number(text ?? DEFAULT_PORT);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  console.error("PORT must be a port number");
  process.exit(1);
}

const clock = new VirtualClock();
const server = await ProviderServer.start(clock, parsePort(process.env.PORT)).catch((error: Error) => {
  console.error(`The simulators cannot start: ${error.message}`);
  process.exit(1);
});
console.log(`Simulated providers at ${server.origin}`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    clock.stop();
    void server.stop();
  });
}
