import type { Operations } from './definition.ts'
import { get } from './fetch.ts'
import { link, unlink } from './links.ts'
import { list } from './read.ts'
import { create, remove, update, upsert } from './write.ts'

/** The default operations of a resource. Custom operations call these. */
export const standard = { list, get, create, upsert, update, remove, link, unlink } satisfies Operations

/** The operations of a collection that only the platform writes. */
export const readOnly = { list, get } satisfies Operations
