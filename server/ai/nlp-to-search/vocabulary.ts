import { sql } from 'kysely'
import { findPlaces, type Place, sampleOf } from '../../analytics/search-fields/search-field-samples.ts'
import { type Tlp, tlpRank } from '../../domain/tlp.ts'
import type { Context } from '../../engine/context.ts'
import { resourceOf } from '../../engine/select.ts'
import { rankOf, sourceOf } from '../../identity/access/visibility.ts'
import { placeOf } from '../../search/sql/data-field.ts'

/** Words of the installation that help a model to name what there is. */
export interface Vocabulary {
  readonly tags: readonly string[]
  readonly sources: readonly string[]
  readonly taxonomies: readonly string[]
  readonly places: readonly Place[]
}

export const NO_VOCABULARY: Vocabulary = { tags: [], sources: [], taxonomies: [], places: [] }

const MOST = { tags: 100, sources: 40, taxonomies: 100 }
const MAX_WORD_LENGTH = 80
/** The names of other keys may be any text. */
const NAME = /^(?:data|meta)(?:\.[A-Za-z][A-Za-z0-9_-]{0,59}){1,4}$/

/** The most frequent words in the newest entities that the caller sees and the provider may receive. */
export async function readVocabulary(ctx: Context, ceiling: Tlp): Promise<Vocabulary> {
  const entities = resourceOf(ctx, 'entities')
  const isAllowed = sql<boolean>`${rankOf(sql`t.vis`)} <= ${tlpRank(ceiling)}`
  const top = (kind: keyof typeof MOST, joins: ReturnType<typeof sql>, value: ReturnType<typeof sql>) => sql`(
    select ${kind}::text as kind, left(${value}, ${MAX_WORD_LENGTH}) as word
    from sample as t ${joins}
    group by 2
    order by count(*) desc, 2
    limit ${MOST[kind]})`
  const [{ rows }, places] = await Promise.all([
    sql<{ kind: keyof typeof MOST; word: string }>`
      ${sampleOf(ctx, entities, isAllowed)}
      ${top('tags', sql`cross join lateral unnest(t.tags) as g(tag)`, sql`g.tag`)}
      union all
      ${top(
        'sources',
        sql`join numbered_sources as i on i.number = ${sourceOf(sql`t.vis`)} join sources as s on s.id = i.id`,
        sql`s.name`,
      )}
      union all
      ${top(
        'taxonomies',
        sql`join entity_taxonomies as l on l.source = t.id join taxonomies as o on o.id = l.target`,
        sql`array_to_string(o.path, '/')`,
      )}`.execute(ctx.db),
    findPlaces(ctx, entities, ['data', 'meta'], isAllowed),
  ])
  const words = (kind: keyof typeof MOST) => rows.filter((row) => row.kind === kind).map(({ word }) => word)
  return {
    tags: words('tags'),
    sources: words('sources'),
    taxonomies: words('taxonomies'),
    places: places.filter(({ name }) => NAME.test(name) && placeOf(name)),
  }
}
