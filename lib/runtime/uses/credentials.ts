import { credentialsKey } from "../../contract/resources.ts";
import { Envelopes } from "../../crypto/envelope.ts";
import { locate } from "../aws.ts";
import { kmsDataKeys } from "../kms.ts";

export const make = () => new Envelopes(kmsDataKeys(locate(credentialsKey)));
