import { testSimulation } from "../../../../simulation/test-simulation.ts";

testSimulation(560, 20_290_702);
