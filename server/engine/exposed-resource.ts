import type { Collection } from '../collections.ts'
import type { Field } from './field-class.ts'

/** A query parameter of a list that leaves out some of its matches, depending on what else matches. */
export interface ExposedReduction {
  readonly parameter: string
  /** The first is the default and leaves out nothing. */
  readonly values: readonly [string, ...string[]]
  readonly doc: string
}

/** What clients see of a resource: bodies are parsed and the documentation is written by it. */
export interface ExposedResource {
  readonly collection: Collection
  readonly title: string
  readonly key: readonly string[]
  readonly fields: Readonly<Record<string, Field>>
  readonly search?: {
    readonly filters?: Readonly<Record<string, Field>>
    readonly query?: unknown
    readonly reduction?: ExposedReduction
  }
  readonly example?: Readonly<Record<string, unknown>>
}
