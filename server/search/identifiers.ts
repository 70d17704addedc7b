const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

// `indicator--`, `{https://example.com/}indicator-`, `example:Indicator-`, `urn:uuid:`
const STIX_PREFIX = /^(?:\{[^{}\s]+\}|[\w.:-]+:)?(?:[a-z][\w-]*-)?$/i

/** Whether a string is a UUID or a STIX id. They are not indexed, because nearly every one would be a lexeme of a single entity. */
export function isIdentifier(value: string): boolean {
  const start = value.length - 36
  if (start < 0 || start > 300 || value.charCodeAt(start + 23) !== 0x2d) return false
  return UUID.test(value.slice(start)) && STIX_PREFIX.test(value.slice(0, start))
}
