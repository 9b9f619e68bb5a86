/** Sizes and counts that callers can run into. Where the schema can express one, it is a constraint too. */
export const limits = {
  endpointsPerOwner: 50,
  urlCharacters: 2048,
  descriptionCharacters: 500,
  eventTypes: 100,
  channels: 10,
  headers: 20,
  metadataKeys: 20,
  metadataKeyCharacters: 40,
  metadataValueCharacters: 500,
  headerNameCharacters: 100,
  headerValueCharacters: 1000,
  credentialCharacters: 500,
  liveSecrets: 5,
  throttlePerSecond: 10_000,
  overlapSeconds: 7 * 86_400,
  pageSize: 100,
} as const;
