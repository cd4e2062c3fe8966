// @module-tag deep
import { testSimulation } from "../../../../simulation/test-simulation.ts";
import { chooseCount } from "../../../../support/depth.ts";

testSimulation(chooseCount(280, 280, 560), 20_290_702);
