import { z } from 'zod'
import { string } from '../../engine/field.ts'
import { toId } from '../../engine/reference.ts'

/** How many levels a tree can have. */
export const MAXIMUM_DEPTH = 20
const MAXIMUM_NAME = 500
const MAXIMUM_TEXT = MAXIMUM_DEPTH * (MAXIMUM_NAME + 1)

const storable = (min: number, max: number) =>
  string(min, max).refine((text) => text.isWellFormed(), 'must not contain half of a surrogate pair')

/** What a node is called. */
export const nodeName = storable(1, MAXIMUM_NAME)

/** The names from the root down: a list, or one text with slashes between them. */
export const nodePath = z
  .union(
    [
      storable(0, MAXIMUM_TEXT).transform((text): unknown[] => text.split('/')),
      z.array(z.unknown()).max(MAXIMUM_DEPTH),
    ],
    { error: `must be a list of at most ${MAXIMUM_DEPTH} names, or a text with / between them` },
  )
  .pipe(z.array(nodeName).min(1).max(MAXIMUM_DEPTH))

/** The parent of a node as requests name it: an id, the text of a path, or a path. */
export type ParentName = number | string | string[]

/** Reads the parent of a node out of an id, a URL or a path; whether there is such a node is another question. */
export const parentName = z
  .union([storable(1, MAXIMUM_TEXT), z.int(), z.array(nodeName).min(1).max(MAXIMUM_DEPTH)], {
    error: 'must be an id, a URL or a path',
  })
  .transform((value): ParentName => {
    if (Array.isArray(value)) return value
    const id = toId('taxonomies', value)
    return id === undefined ? String(value) : Number(id)
  })

/** A node as a request gives it: by its path, or by its name and parent. */
export interface NodeItem {
  readonly name?: string | null | undefined
  readonly parent?: ParentName | null | undefined
  readonly path?: readonly string[] | undefined
  readonly description?: string | null | undefined
}
