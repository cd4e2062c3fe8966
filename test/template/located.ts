import type { Grant } from "../../lib/contract/access.ts";
import type { Resource } from "../../lib/local/template/assembly.ts";
import { resourceOf, type Synthesized } from "./synthesized.ts";

/** Location of a granted resource. */
export interface Located {
  readonly arn: string;
  /** The value in a function's environment. */
  readonly environment: string;
}

/** Finds the synthesized resource of a grant by its name in lib/contract/resources.ts. */
export function located(service: Synthesized, on: Grant["on"]): Located {
  switch (on.kind) {
    case "entity":
      return byName(resourceOf(service, "AWS::DynamoDB::Table", `Table${on.table.name}`));
    case "queue":
      return byReference(resourceOf(service, "AWS::SQS::Queue", `Queue${on.name}Queue`));
    case "bus":
      return byName(resourceOf(service, "AWS::Events::EventBus", "Bus"));
    case "bucket":
      return byName(resourceOf(service, "AWS::S3::Bucket", on.name.charAt(0).toUpperCase() + on.name.slice(1)));
    case "machine":
      return byReference(resourceOf(service, "AWS::StepFunctions::StateMachine", "Machine"));
    case "key": {
      const id = `${on.name.charAt(0).toUpperCase()}${on.name.slice(1)}Key`;
      const { arn = "" } = resourceOf(service, "AWS::KMS::Key", id);
      return { arn, environment: arn };
    }
    case "secret": {
      const { ref = "" } = resourceOf(service, "AWS::SecretsManager::Secret", `Secret${on.name}`);
      return { arn: ref, environment: ref };
    }
  }
}

const byName = ({ arn = "", name }: Resource): Located => ({ arn, environment: name });
const byReference = ({ arn = "", ref = "" }: Resource): Located => ({ arn, environment: ref });
