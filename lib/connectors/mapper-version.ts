/** Version of the mappings of all connectors. Raise it with each change of a mapping: kept payloads name their mapper. */
export const MAPPER_VERSION = 3;
