/** A required field of an Avro record, with the id that Iceberg gives it. */
export const field = (id: number, name: string, type: unknown) => ({ "field-id": id, name, type });

/** A field that may be null, which is its default. */
export const optional = (id: number, name: string, type: unknown) => ({
  ...field(id, name, ["null", type]),
  default: null,
});
