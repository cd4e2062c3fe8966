import { afterAll, vi } from "vitest";
import { setPorts } from "../../lib/runtime/ports.ts";

// Test files share a process, which makes them fast. At its end, each file restores the environment.
const before = { ...process.env };
afterAll(() => {
  vi.restoreAllMocks();
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  setPorts(undefined);
});
