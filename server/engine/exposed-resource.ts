import type { Collection } from '../collections.ts'
import type { Field } from './field-class.ts'

/** What clients see of a resource: bodies are parsed and the documentation is written by it. */
export interface ExposedResource {
  readonly collection: Collection
  readonly title: string
  readonly key: readonly string[]
  readonly fields: Readonly<Record<string, Field>>
  readonly search?: { readonly query?: unknown }
  readonly example?: Readonly<Record<string, unknown>>
}
