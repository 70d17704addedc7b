/**
 * A value of a document as text. `String` throws an error for an object whose member `toString` is no function, and JSON may have such
 * objects.
 */
export const textFrom = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
