/** A resource of a synthesized template. */
export interface TemplateResource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
}

/** A template with the name of its stack. */
export interface PricedTemplate {
  readonly name: string;
  readonly resources: Readonly<Record<string, TemplateResource>>;
}
