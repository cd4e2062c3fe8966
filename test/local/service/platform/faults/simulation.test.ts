import { testSimulation } from "../../../../simulation/test-simulation.ts";

// Half of a thousand events; simulation-second-seed.test.ts runs the other half in parallel.
testSimulation(560, 20_290_701);
