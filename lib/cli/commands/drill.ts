import { declareCommand } from "../frame/declaration.ts";
import { drills } from "./drill/drills.ts";

export const drill = declareCommand({
  name: "drill",
  summary: "Runs a reliability drill",
  description: ["Without --seed the seed is random and printed."],
  subcommands: drills,
});
