/** An object of a JSON document. */
export type Json = Readonly<Record<string, unknown>>

/** The items of a value that should be a list; what is none has no items. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
