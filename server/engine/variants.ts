import { z } from 'zod'

/** What another field of the object is, by the value of one field. */
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

/** The schemas of fields that decide what another field is: the OpenAPI document describes such objects as discriminated unions. */
export const VARIANTS = z.registry<Variants>()
