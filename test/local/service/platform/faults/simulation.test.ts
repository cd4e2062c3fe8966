// @module-tag share
import { testSimulation } from "../../../../simulation/test-simulation.ts";
import { chooseCount } from "../../../../support/depth.ts";

testSimulation(chooseCount(60, 280, 560), 20_290_701);
