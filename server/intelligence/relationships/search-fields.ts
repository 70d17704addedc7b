import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { TLP, tlpRank } from '../../domain/tlp.ts'
import { parseId } from '../../engine/reference.ts'
import { rankOf, sourceOf } from '../../identity/access/visibility.ts'
import { escapeLike } from '../../search/query/patterns.ts'
import { boolean, chosen, fieldOrPlace, type NamedFields, ready, text, time } from '../../search/sql/columns.ts'
import type { Search, SearchField, SearchFields } from '../../search/sql/compile.ts'
import { isPlain, type Leaf, matchesText } from '../../search/sql/leaf.ts'
import { condition, NONE, type Part, some } from '../../search/sql/parts.ts'
import { splitWords } from '../../search/words.ts'
import { contributorsOf } from '../entities/unified.ts'

const DESCRIPTION = sql`folded(t.data ->> 'description')`

/** Compares the words of the description one by one. Few relationships have one, so descriptions are not in the search index. */
const description: SearchField = {
  find: ready((leaf) => {
    if (!isPlain(leaf)) return hasWord(matchesText(leaf, sql`w.word`))
    const words = splitWords(leaf.text)
    return words.length === 0 ? NONE : hasPhrase(words)
  }),
  exists: condition(sql`t.data ->> 'description' <> ''`),
}

const hasWord = (matching: RawBuilder<SqlBool>): Part =>
  condition(
    sql`exists (select from regexp_split_to_table(${DESCRIPTION}, '[^[:alnum:]_.:''-]+') as w(word) where ${matching})`,
  )

/** Finds words next to each other, as whole words. */
const hasPhrase = (words: readonly string[]): Part => {
  const escaped = words.map((word) => word.replaceAll(/[^\p{L}\p{N}_]/gu, '\\$&'))
  const like = `%${words.map(escapeLike).join('%')}%`
  return condition(
    sql`(${DESCRIPTION} like ${like} and ${DESCRIPTION} ~ ${`(^|[^[:alnum:]_])${escaped.join('[^[:alnum:]_]+')}($|[^[:alnum:]_])`})`,
  )
}

const isNotNull = (column: string): Part => condition(sql`${sql.ref(`t.${column}`)} is not null`)

const key = text(sql`t.key`, condition(sql`t.key <> ''`))
const subtype = text(sql`t.subtype`, isNotNull('subtype'))

const colour = chosen(TLP, (values) => sql`${rankOf(sql`t.vis[1]`)} = any(${values.map(tlpRank)}::integer[])`)

const source: SearchField = {
  find: ready((leaf) =>
    condition(sql`exists (
      select from unnest(t.vis) as k(key) join sources as s on s.number = ${sourceOf(sql`k.key`)}
      where ${matchesText(leaf, sql`folded(s.name)`)})`),
  ),
  exists: condition(sql`true`),
}

/** The entity at one end, which needs no check of visibility: a relationship is only visible together with both ends. */
const end = (column: 'source' | 'target', own: RawBuilder<unknown>): SearchField => ({
  find: ready((leaf) =>
    condition(sql`exists (
      select from entities as e where e.id = ${sql.ref(`t.${column}`)} and ${matchesText(leaf, sql`folded(${own})`)})`),
  ),
  exists: condition(sql`true`),
})

/** The id of the entity at one end. A unified entity stands for its contributors, which have the relationships. */
const endId =
  (column: 'source' | 'target') =>
  ({ ctx }: Search): SearchField => {
    const own = sql.ref(`t.${column}`)
    return {
      find: ready((leaf) => {
        const id = isPlain(leaf) ? parseId('uuid', leaf.text) : undefined
        if (id === undefined) return condition(matchesText(leaf, sql`folded(${own}::text)`))
        return condition(sql`${own} = any(array(
          select ${id}::uuid union all
          select c.entity from ${contributorsOf(ctx, sql`array[${id}::uuid]`)} as c))`)
      }),
      exists: condition(sql`true`),
    }
  }

const fields: NamedFields = {
  id: () => text(sql`t.id::text`),
  key: () => key,
  'data.key': () => key,
  'data.subtype': () => subtype,
  'data.description': () => description,
  'data.source': endId('source'),
  'data.target': endId('target'),
  'data.source.type': () => end('source', sql`e.type`),
  'data.target.type': () => end('target', sql`e.type`),
  'meta.tlp_color': () => colour,
  'sources.name': () => source,
  strict_stix_1: () => boolean(sql`t.strict_stix_1`),
  strict_stix_2: () => boolean(sql`t.strict_stix_2`),
  created_at: (search) => time('created_at', search),
  last_updated_at: (search) => time('last_updated_at', search),
}

/** The names of the fields that queries on relationships can use. */
export const relationshipFieldNames: readonly string[] = Object.keys(fields)

/** The search fields of relationships. */
export const relationshipFields: SearchFields = {
  names: relationshipFieldNames,
  field: (search, name) => fieldOrPlace(fields, ['data', 'meta'], search, name),
  defaults: (_, leaf: Leaf) => {
    const found = [key.find(leaf), description.find(leaf)]
    return { part: () => some(found.map((find) => find())) }
  },
}
