import { demoEntities } from '../server/demo/entity.ts'
import { createSchema, parseMany } from '../server/engine/body.ts'
import { withDerivedMembers } from '../server/engine/document.ts'
import { makeId } from '../server/engine/ids.ts'
import { compose, type EntityItem } from '../server/intelligence/entities/compose.ts'
import { entities } from '../server/intelligence/entities/entities.ts'
import type { Wanted } from '../server/intelligence/entities/link-observables.ts'
import { metaMembers } from '../server/intelligence/entities/meta.ts'
import type { StoredEntity } from '../server/intelligence/entities/store.ts'
import { searchDocument } from '../server/search/document.ts'

/** The number of entities per request. */
export const BATCH = 1000

const SEED = 20_260_101

/** The rows of a request. */
export interface Batch {
  readonly rows: readonly StoredEntity[]
  readonly wanted: readonly Wanted[]
  readonly words: readonly string[]
}

/** Creates request bodies before anything is timed. Titles differ between editions. */
export function requests(from: number, count: number, edition = ''): Buffer[] {
  return Array.from({ length: count / BATCH }, (_, i) => bodyOf(from + i * BATCH, edition))
}

function bodyOf(from: number, edition: string): Buffer {
  const data = [...demoEntities(SEED, BATCH, from)].map(({ data, meta, observables }) => ({
    data: { ...data, title: `${data.title}${edition}` },
    meta: { ...meta, taxonomies: undefined },
    observables,
  }))
  return Buffer.from(JSON.stringify({ data }))
}

/** Creates the rows of a request before anything is timed. */
export async function batchOf(body: Buffer, sourceNumber: number): Promise<Batch> {
  const { items } = await parseMany(entities, createSchema(entities), JSON.parse(body.toString()))
  const now = new Date().toISOString()
  const words = new Set<string>()
  const rows = (items as unknown as EntityItem[]).map((item): StoredEntity => {
    const data = { ...item.data, id: item.data.id ?? '' }
    const meta = withDerivedMembers(metaMembers, item.meta ?? {}, { data: item.data, now, tlp: null })
    const { vector: search, words: own } = searchDocument({ data, tags: meta.tags ?? [], taxonomies: [], attacks: [] })
    for (const word of own) words.add(word)
    const parts = { id: makeId(), data, meta, sourceNumber, downgrade: 'RED' as const }
    return compose({ ...parts, taxonomies: [], attacks: [], search })
  })
  const wanted = (items as unknown as EntityItem[]).flatMap((item, i) =>
    (item.observables ?? []).map((observable) => ({ entity: rows[i]?.id ?? '', observable })),
  )
  return { rows, wanted, words: [...words] }
}
