import { providerApps } from "../../contract/resources.ts";
import { locate } from "../aws.ts";
import { ProviderApps } from "../linking/provider-apps.ts";
import { secretText } from "../linking/secret-text.ts";

export const make = () => {
  const arn = locate(providerApps);
  return new ProviderApps(() => secretText(arn));
};
