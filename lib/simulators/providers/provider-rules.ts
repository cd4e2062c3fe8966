import type { ProviderRules } from "./frame/provider-desk.ts";
import { oura } from "./oura/oura.ts";

/** Every simulated provider. */
export const providerRules: readonly ProviderRules[] = [oura];
