import { commands } from "../lib/cli/command-table.ts";
import { runProgram } from "../lib/cli/frame/run-program.ts";

await runProgram(commands, process.argv.slice(2));
