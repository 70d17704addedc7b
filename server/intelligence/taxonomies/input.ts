import { z } from 'zod'
import { string } from '../../engine/field.ts'
import { toId } from '../../engine/reference.ts'

/** The maximum number of levels of a tree. */
export const MAX_DEPTH = 20
const MAX_NAME_LENGTH = 500
const MAX_PATH_LENGTH = MAX_DEPTH * (MAX_NAME_LENGTH + 1)

const storable = (min: number, max: number) =>
  string(min, max).refine((text) => text.isWellFormed(), 'must not contain half of a surrogate pair')

/** The name of a node. */
export const nodeName = storable(1, MAX_NAME_LENGTH)

/** The path of a node from the root: a list of names, or a text with slashes between them. */
export const nodePath = z
  .union(
    [storable(0, MAX_PATH_LENGTH).transform((text): unknown[] => text.split('/')), z.array(z.unknown()).max(MAX_DEPTH)],
    { error: `must be a list of at most ${MAX_DEPTH} names, or a text with / between them` },
  )
  .pipe(z.array(nodeName).min(1).max(MAX_DEPTH))

/** The parent of a node in a request: an id, a path as text, or a path as a list. */
export type ParentName = number | string | string[]

/** Reads the parent of a node from an id, a URL or a path. Does not check that the node exists. */
export const parentName = z
  .union([storable(1, MAX_PATH_LENGTH), z.int(), z.array(nodeName).min(1).max(MAX_DEPTH)], {
    error: 'must be an id, a URL or a path',
  })
  .transform((value): ParentName => {
    if (Array.isArray(value)) return value
    const id = toId('taxonomies', value)
    return id === undefined ? String(value) : Number(id)
  })

/** A node as a request sends it: with its path, or with its name and parent. */
export interface NodeItem {
  readonly name?: string | null | undefined
  readonly parent?: ParentName | null | undefined
  readonly path?: readonly string[] | undefined
  readonly description?: string | null | undefined
}
