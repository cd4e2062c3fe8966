import { readFileSync } from "node:fs";
import * as z from "zod";
import { CommandFailed } from "../../lib/cli/frame/command-failed.ts";
import { plantedFaults } from "./planted/planted-faults.ts";

/** What goes wrong besides the order: calls fail, functions crash, messages come late and twice, the receiver fails. */
export const disturbances = ["calls", "crashes", "messages", "receiver"] as const;

const faultNames = plantedFaults.map(({ name }) => name);

/** Everything that decides an ordered simulation: the same script gives the same trace. */
export const simulationScript = z.strictObject({
  seed: z.int().nonnegative(),
  /** Approximate number of events that the plan of requests has. */
  events: z.int().positive(),
  /** Number of users. Fewer users change the same data at once more often. */
  users: z.int().positive().optional(),
  /** Names of the requests of the plan that are sent. All by default. */
  pushes: z.array(z.string()).optional(),
  disturbances: z.array(z.enum(disturbances)).default([...disturbances]),
  /** Number of steps that are drawn by the seed. Later steps run in the order of their arrival. All by default. */
  drawn_steps: z.int().nonnegative().optional(),
  /** Name of a planted fault. */
  fault: z.enum(faultNames).optional(),
});
export type SimulationScript = z.output<typeof simulationScript>;

/**
 * Reads a script from a file, or makes one of options.
 * @throws CommandFailed if the file is no script, or the options name an unknown fault.
 */
export function readScript(file: string | undefined, options: z.input<typeof simulationScript>): SimulationScript {
  try {
    return simulationScript.parse(file === undefined ? options : JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    throw new CommandFailed(error instanceof z.ZodError ? z.prettifyError(error) : `${file}: ${error}`);
  }
}
