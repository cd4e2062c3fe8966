import { testSimulation } from "../../simulation/simulation-test.ts";

// One half of a thousand events; the other runs beside it, in simulation-beside.test.ts.
testSimulation(560, 20_290_701);
