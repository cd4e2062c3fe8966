import { prepareLocalAssembly } from "../lib/build/local-assembly.ts";

const [directory = "dist", context = "{}"] = process.argv.slice(2);
await prepareLocalAssembly(directory, JSON.parse(context));
