import { bundleShared } from "../lib/build/bundle-local.ts";

const [directory = "dist/shared"] = process.argv.slice(2);
await bundleShared(directory);
