import { testSimulation } from "../../simulation/simulation-test.ts";

testSimulation(560, 20_290_702);
