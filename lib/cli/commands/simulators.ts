import { CommandFailed } from "../frame/command-failed.ts";
import { declareCommand } from "../frame/declaration.ts";
import { readVariable } from "../frame/read-variable.ts";
import { portNumber } from "../frame/values.ts";

const DEFAULT_PORT = "3010";

export const simulators = declareCommand({
  name: "simulators",
  summary: "Runs the simulated providers alone",
  description: [`PORT sets the port (${DEFAULT_PORT}); 0 means any free port. Ctrl+C stops them.`],
  examples: [["simulators", "prints the address"]],
  run: async (_, session) => {
    const port = portNumber.safeParse(readVariable("PORT") ?? DEFAULT_PORT);
    if (!port.success) throw new CommandFailed("PORT must be a port number");
    const { VirtualClock } = await import("../../local/clock.ts");
    const { ProviderServer } = await import("../../simulators/providers/provider-server.ts");
    const clock = new VirtualClock();
    const server = await ProviderServer.start(clock, port.data).catch((error: Error) => {
      clock.stop();
      throw new CommandFailed(`The simulators cannot start: ${error.message}`);
    });
    session.print(`Simulated providers at ${server.origin}`);
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => {
        clock.stop();
        void server.stop();
      });
    }
    return undefined;
  },
});
