import { get } from './fetch.ts'
import { link, unlink } from './links.ts'
import { list } from './read.ts'
import type { Operations } from './resource.ts'
import { create, remove, update, upsert } from './write.ts'

/** The operations a resource has unless it says otherwise. Special ones call these. */
export const standard = { list, get, create, upsert, update, remove, link, unlink } satisfies Operations

/** The operations of a collection that only the platform itself writes. */
export const readOnly = { list, get } satisfies Operations
