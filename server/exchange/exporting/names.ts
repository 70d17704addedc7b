import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { ShippedSource } from '../../formats/shipment.ts'

/** Caches sources and taxonomies by id: there are few, and each is looked up once. */
export interface Names {
  /** Looks up those that are not in the cache. */
  learn(ctx: Context, sources: Iterable<string>, taxonomies: Iterable<number>): Promise<void>
  sources(ids: readonly string[]): ShippedSource[]
  paths(ids: readonly number[]): (readonly string[])[]
}

/** Creates an empty cache of names. */
export function openNames(): Names {
  const sources = new Map<string, ShippedSource>()
  const paths = new Map<number, readonly string[]>()
  return {
    learn: async ({ db }, sourceIds, taxonomyIds) => {
      const newSources = [...new Set(sourceIds)].filter((id) => !sources.has(id))
      const newTaxonomies = [...new Set(taxonomyIds)].filter((id) => !paths.has(id))
      if (newSources.length > 0) {
        const { rows } = await sql<ShippedSource>`
          select id, name, type from sources where id = any(${newSources}::uuid[])`.execute(db)
        for (const row of rows) sources.set(row.id, row)
      }
      if (newTaxonomies.length > 0) {
        const { rows } = await sql<{ id: number; path: string[] }>`
          select id, path from taxonomies where id = any(${newTaxonomies}::integer[])`.execute(db)
        for (const { id, path } of rows) paths.set(id, path)
      }
    },
    sources: (ids) => ids.flatMap((id) => sources.get(id) ?? []),
    paths: (ids) => ids.flatMap((id) => (paths.has(id) ? [paths.get(id) ?? []] : [])),
  }
}
