import { defineConfig } from "vitest/config";
import base from "../vitest.config.ts";
import { GROUP_VARIABLE, mutationGroups } from "./groups.ts";

const group = mutationGroups.find(({ name }) => name === process.env[GROUP_VARIABLE]);

/** Runs the tests of one group. Each file has its own modules, because a mutant may be in code that runs at import. */
export default defineConfig({ test: { ...base.test, include: [...(group?.tests ?? [])], isolate: true } });
