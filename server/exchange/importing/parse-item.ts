import { createSchema, parseItems } from '../../engine/body.ts'
import type { Item } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { ApiError } from '../../engine/errors.ts'

/** Validates an object of a document as if it came in a request; gives what is wrong with it instead of throwing. */
export function parseItem(resource: Resource, sent: Item): { item: Item } | { faults: readonly string[] } {
  try {
    const [item = {}] = parseItems(resource, createSchema(resource), [sent], [])
    return { item }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { faults: error.details.map((detail) => detail.replace(/^\[0\]\.?/, '')) }
  }
}
