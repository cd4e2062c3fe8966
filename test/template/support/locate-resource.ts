import type { Grant } from "../../../lib/contract/access.ts";
import type { ResolvedResource } from "../../../lib/local/template/read-assembly.ts";
import { findResource, type SynthesizedService } from "./synthesize.ts";

/** Location of a granted resource. */
export interface ResourceLocation {
  readonly arn: string;
  /** The value in a function's environment. */
  readonly environment: string;
}

/** Finds the synthesized resource of a grant by its name in lib/contract/resources.ts. */
export function locateGrantedResource(service: SynthesizedService, on: Grant["resource"]): ResourceLocation {
  switch (on.kind) {
    case "entity":
      return byName(findResource(service, "AWS::DynamoDB::Table", `Table${on.table.name}`));
    case "queue":
      return byReference(findResource(service, "AWS::SQS::Queue", `Queue${on.name}Queue`));
    case "bus":
      return byName(findResource(service, "AWS::Events::EventBus", "Bus"));
    case "bucket":
      return byName(findResource(service, "AWS::S3::Bucket", on.name.charAt(0).toUpperCase() + on.name.slice(1)));
    case "machine":
      return byReference(findResource(service, "AWS::StepFunctions::StateMachine", "Machine"));
    case "key": {
      const id = `${on.name.charAt(0).toUpperCase()}${on.name.slice(1)}Key`;
      const { arn = "" } = findResource(service, "AWS::KMS::Key", id);
      return { arn, environment: arn };
    }
    case "secret": {
      const { ref = "" } = findResource(service, "AWS::SecretsManager::Secret", `Secret${on.name}`);
      return { arn: ref, environment: ref };
    }
  }
}

const byName = ({ arn = "", name }: ResolvedResource): ResourceLocation => ({ arn, environment: name });
const byReference = ({ arn = "", ref = "" }: ResolvedResource): ResourceLocation => ({ arn, environment: ref });
