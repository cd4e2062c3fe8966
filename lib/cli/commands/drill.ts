import { declareCommand } from "../frame/declaration.ts";
import { concurrencyDrills } from "./drill/concurrency-drills.ts";
import { failureDrills } from "./drill/failure-drills.ts";

export const drill = declareCommand({
  name: "drill",
  summary: "Runs a reliability drill",
  description: ["Without --seed the seed is random and printed."],
  subcommands: [...concurrencyDrills, ...failureDrills],
});
