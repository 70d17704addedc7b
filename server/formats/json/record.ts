/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

/** The items of a list; empty if the value is not a list. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
