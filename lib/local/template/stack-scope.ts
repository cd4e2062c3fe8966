import { createHash } from "node:crypto";
import { evaluateCondition, type IntrinsicScope, NO_VALUE, resolveIntrinsics } from "./intrinsics.ts";
import { physicalNames, type ResourceTypeNaming } from "./physical-names.ts";
import type { Template } from "./read-cloud-assembly.ts";

/** Account id of all local resources. */
export const LOCAL_ACCOUNT = "000000000000";

/** Region and local origins of the resources. */
export interface LocalEnvironment {
  readonly region: string;
  /** Origin of queue URLs, for example `http://127.0.0.1:4566`. */
  readonly queueOrigin: string;
  /** Origin of each HTTP API, by the API's Name. Other APIs get a URL as on AWS. */
  readonly apiOrigins?: Readonly<Record<string, string>>;
}

/** Resolves the references of one stack: parameters, conditions, resources, and exports of other stacks. */
export class StackScope implements IntrinsicScope {
  readonly stack: string;
  readonly #template: Template;
  readonly #place: LocalEnvironment;
  readonly #exports: (name: string) => unknown;
  readonly #pseudoParameters: Readonly<Record<string, unknown>>;
  /** Filled patterns, because most resources are referred to many times. */
  readonly #filled = new Map<string, string>();

  constructor(stack: string, template: Template, place: LocalEnvironment, exports: (name: string) => unknown) {
    this.stack = stack;
    this.#template = template;
    this.#place = place;
    this.#exports = exports;
    this.#pseudoParameters = {
      "AWS::AccountId": LOCAL_ACCOUNT,
      "AWS::NoValue": NO_VALUE,
      "AWS::Partition": "aws",
      "AWS::Region": place.region,
      "AWS::StackId": `arn:aws:cloudformation:${place.region}:${LOCAL_ACCOUNT}:stack/${stack}/local`,
      "AWS::StackName": stack,
      "AWS::URLSuffix": "amazonaws.com",
    };
  }

  ref(name: string): unknown {
    const pseudo = this.#pseudoParameters[name];
    if (pseudo !== undefined) return pseudo;
    const parameter = this.#template.Parameters[name];
    if (parameter) return parameter.Default;
    return this.#fill(this.#typeOf(name).ref, name);
  }

  attribute(logicalId: string, name: string): string {
    const pattern = this.#typeOf(logicalId).attributes?.[name];
    if (pattern === undefined) {
      throw new Error(
        `${this.stack}/${logicalId}: ${this.#resource(logicalId).Type} has no supported attribute ${name}`,
      );
    }
    return this.#fill(pattern, logicalId);
  }

  condition(name: string): boolean {
    if (!(name in this.#template.Conditions)) throw new Error(`${this.stack}: the condition ${name} does not exist`);
    return evaluateCondition(this.#template.Conditions[name], this);
  }

  importValue(exportName: string): unknown {
    return this.#exports(exportName);
  }

  /** Resolves a value of this template. @throws Error with the stack and `owner`. */
  resolve(value: unknown, owner: string): unknown {
    try {
      return resolveIntrinsics(value, this);
    } catch (error) {
      throw new Error(`${this.stack}/${owner}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }

  /** The explicit name of a resource, else `<stack>-<logicalId>` within the service's limit. Deterministic. */
  physicalName(logicalId: string): string {
    const { Type, Properties } = this.#resource(logicalId);
    const { nameProperty, maxLength, lowerCase } = physicalNames[Type] ?? {};
    const explicit = nameProperty === undefined ? undefined : this.resolve(Properties[nameProperty], logicalId);
    if (typeof explicit === "string") return explicit;
    const long = `${this.stack}-${logicalId}`;
    const name = maxLength === undefined || long.length <= maxLength ? long : shorten(long, maxLength);
    return lowerCase ? name.toLowerCase() : name;
  }

  #resource(logicalId: string): Template["Resources"][string] {
    const resource = this.#template.Resources[logicalId];
    if (!resource) throw new Error(`${this.stack}: the resource or parameter ${logicalId} does not exist`);
    return resource;
  }

  #typeOf(logicalId: string): ResourceTypeNaming {
    const { Type } = this.#resource(logicalId);
    const names = physicalNames[Type];
    if (!names) throw new Error(`${this.stack}/${logicalId}: the local cloud does not support references to ${Type}`);
    return names;
  }

  #fill(pattern: string, logicalId: string): string {
    const key = `${logicalId} ${pattern}`;
    const filled =
      this.#filled.get(key) ??
      pattern.replace(/\{(\w+)\}/g, (_, placeholder: string) => this.#placeholder(placeholder, logicalId));
    this.#filled.set(key, filled);
    return filled;
  }

  #placeholder(placeholder: string, logicalId: string): string {
    const digest = () => sha256(`${this.stack}/${logicalId}`);
    switch (placeholder) {
      case "name":
        return this.physicalName(logicalId);
      case "id":
        return digest().slice(0, 10);
      case "number":
        return String(Number.parseInt(digest().slice(0, 8), 16));
      case "uuid":
        return digest().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
      case "region":
        return this.#place.region;
      case "account":
        return LOCAL_ACCOUNT;
      case "queueOrigin":
        return this.#place.queueOrigin;
      case "apiOrigin":
        return this.#apiOrigin(logicalId);
      case "ruleBus":
        return this.#ruleBus(logicalId);
      default:
        throw new Error(`physicalNames uses the unknown placeholder {${placeholder}}`);
    }
  }

  #apiOrigin(logicalId: string): string {
    const elsewhere = `https://${sha256(`${this.stack}/${logicalId}`).slice(0, 10)}.execute-api.${this.#place.region}`;
    return this.#place.apiOrigins?.[this.physicalName(logicalId)] ?? `${elsewhere}.amazonaws.com`;
  }

  /** The bus part of a rule's ARN. A rule names its bus by name or ARN; the default bus has no part in the ARN. */
  #ruleBus(logicalId: string): string {
    const bus = this.resolve(this.#resource(logicalId).Properties.EventBusName, logicalId);
    return typeof bus === "string" && bus !== "default" ? `${bus.slice(bus.lastIndexOf("/") + 1)}/` : "";
  }
}

function shorten(name: string, maxLength: number): string {
  return `${name.slice(0, maxLength - 9)}-${sha256(name).slice(0, 8)}`;
}

function sha256(value: string): string {
  return createHash("sha256").update(value).digest("hex");
}
