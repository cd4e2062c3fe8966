import { defineConfig } from "vitest/config";
import base from "../vitest.config.ts";
import { GROUP_VARIABLE, mutationGroups } from "./groups.ts";

const group = mutationGroups.find(({ name }) => name === process.env[GROUP_VARIABLE]);

/** The tests of one group, each file with modules of its own: a mutant may be in what runs when a module is loaded. */
export default defineConfig({ test: { ...base.test, include: [...(group?.tests ?? [])], isolate: true } });
