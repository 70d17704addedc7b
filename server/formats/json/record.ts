/** An object of a JSON document. */
export type Json = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The items of a value that should be a list; what is none has no items. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
