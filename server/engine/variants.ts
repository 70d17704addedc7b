import { z } from 'zod'

/** The schema of another field of the object, by the value of one field. */
export interface Variants {
  readonly field: string
  readonly options: readonly {
    readonly value: string
    readonly title: string
    readonly description: string
    /** A JSON Schema. */
    readonly schema: Readonly<Record<string, unknown>>
  }[]
}

/** Schemas of fields that determine the schema of another field. The OpenAPI document describes their objects as discriminated unions. */
export const VARIANTS = z.registry<Variants>()
