import { sql } from 'kysely'
import { defineFollower } from '../../background/followers/follower.ts'
import { refreshPassages } from './refresh-passages.ts'

/** Keeps the passages as the entities are. Those that were there before are read by `read-existing.ts`. */
export const passages = defineFollower({
  name: 'passages',
  collections: ['entities'],
  isIdle: async ({ db }) => {
    const { rows } = await sql`select from passage_index where has_begun`.execute(db)
    return rows.length === 0
  },
  handle: ({ db }, changes) => refreshPassages(db, [...new Set(changes.flatMap(({ ids }) => ids))]),
})
