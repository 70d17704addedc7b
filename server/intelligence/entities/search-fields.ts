import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { OBSERVABLE_TYPES } from '../../domain/observables/types.ts'
import { TLP, tlpRank } from '../../domain/tlp.ts'
import type { Context } from '../../engine/context.ts'
import { parseId } from '../../engine/reference.ts'
import { resourceOf } from '../../engine/select.ts'
import type { Member, Members } from '../../engine/storage.ts'
import { rankOf, sourceOf } from '../../identity/access/visibility.ts'
import {
  ALIAS_CODE,
  ALIAS_EXISTS_LEXEME,
  attackLexeme,
  quote,
  SEPARATOR,
  TEXT_CODES,
  type TextCode,
  tagLexeme,
  VALUE_BYTES,
} from '../../search/lexemes.ts'
import {
  boolean,
  chosen,
  fieldOrPlace,
  integer,
  type NamedFields,
  nothing,
  number,
  ready,
  text,
  time,
} from '../../search/sql/columns.ts'
import type { Defaults, Search, SearchField, SearchFields } from '../../search/sql/compile.ts'
import { dataExists, dataPart, placeOf } from '../../search/sql/data-field.ts'
import { isOpen, isPlain, type Leaf, matchesNumber, matchesText, numbersOf, testOf } from '../../search/sql/leaf.ts'
import { ALL, anyLexeme, condition, every, index, NONE, not, type Part, some } from '../../search/sql/parts.ts'
import { knownWords, matchesWord, TEXT_FIELDS, textExists, wordsPart } from '../../search/sql/words.ts'
import { foldCase } from '../../search/words.ts'
import { matchesValue } from '../observables/search-fields.ts'
import { CLASSES, isMalicious, levelsOf } from '../observables/sight.ts'
import { attributesOf, readShape } from '../shaping/shape.ts'
import { entityData, entityTypes } from './entity-data.ts'
import { metaMembers } from './meta.ts'
import { MALICIOUSNESS } from './observables-in.ts'
import { contributesTo } from './unified.ts'

/** The search field of this name. A field that does not exist finds nothing. */
function entityField(search: Search, name: string): SearchField {
  const code = Object.hasOwn(TEXT_FIELDS, name) ? TEXT_FIELDS[name] : undefined
  if (code !== undefined) {
    return { find: (leaf) => inTexts(search, leaf, [code]), exists: index(textExists(code)) }
  }
  const place = Object.hasOwn(fields, name) ? undefined : placeOf(name)
  if (place?.document !== 'data') return fieldOrPlace(fields, ['meta'], search, name)
  const path = place.path.join('.')
  return { find: ready((leaf) => dataPart(path, leaf, search.now)), exists: dataExists(path) }
}

/** The fields searched for a term without a field. */
function defaultFields(search: Search, leaf: Leaf): Defaults {
  const { title, description, short_description } = TEXT_CODES
  const codes: TextCode[] = [title, ALIAS_CODE, description, short_description]
  const others = [fields.tags, fields['extracts.value']].flatMap((make) => make?.(search) ?? [])
  if (isOpen(leaf)) {
    const exists = [...codes.map((code) => index(textExists(code))), ...others.map((field) => field.exists)]
    return { part: () => some(exists) }
  }
  const words = wordsPart(search.lookups, leaf)
  const elsewhere = others.map(({ find }) => find(leaf))
  return {
    part: () => some([words(codes), ...elsewhere.map((part) => part())]),
    inTitle: () => words([title, ALIAS_CODE]),
  }
}

function inTexts({ lookups }: Search, leaf: Leaf, codes: readonly TextCode[]): () => Part {
  const part = wordsPart(lookups, leaf)
  return () => part(codes)
}

/** Entities that are linked with a row that matches. */
const linked = (rows: RawBuilder<unknown>, matching: (leaf: Leaf) => RawBuilder<SqlBool>): SearchField => ({
  find: ready((leaf) => condition(isLinked(rows, matching(leaf)))),
  exists: condition(sql`exists (select ${rows} and l.source = t.id)`),
})

const isLinked = (rows: RawBuilder<unknown>, matching: RawBuilder<SqlBool>) =>
  sql<SqlBool>`t.id in (select l.source ${rows} and ${matching})`

const observables = sql`from observables as o join entity_observables as l on l.target = o.id where true`
const taxonomies = sql`from taxonomies as o join entity_taxonomies as l on l.target = o.id where true`

const hasObservables = linked(observables, () => sql`true`).exists

const tags = ({ lookups }: Search): SearchField => ({
  find: (leaf) => {
    if (isPlain(leaf)) return () => (leaf.text === '' ? NONE : index(quote(tagLexeme(leaf.text))))
    if (leaf.kind === 'prefix') return () => index(`${quote(tagLexeme(leaf.text))}:*`)
    const onRow = hasTag(leaf)
    const found = knownWords(lookups, leaf, onRow, TAG_SIGN)
    return () => {
      const lexemes = found()
      return lexemes === null ? condition(onRow) : anyLexeme(lexemes)
    }
  },
  exists: condition(sql`t.tags <> '{}'`),
})

const TAG_SIGN = `g${SEPARATOR}`

/** Whether the row `t` has a tag that matches. A tag that is a hash in lexemes is only found whole. */
const hasTag = (leaf: Leaf): RawBuilder<SqlBool> => sql`exists (
  select from unnest(t.tags) as g(tag)
  where octet_length(folded(g.tag)) <= ${VALUE_BYTES} and ${matchesWord(leaf, sql`(folded(g.tag) collate "C")`)})`

/** The values of observables. A plain word is looked up first, because hardly any word is an observable. */
const observableValue = ({ lookups }: Search): SearchField => {
  const found = linked(observables, (leaf) => matchesValue(leaf, 'o'))
  return {
    ...found,
    find: (leaf) => {
      if (!isPlain(leaf)) return found.find(leaf)
      const ids = lookups.observable(leaf.text)
      return () => {
        const known = ids()
        if (known === null) return found.find(leaf)()
        return known.length === 0 ? NONE : condition(sql`t.id = any(${known}::uuid[])`)
      }
    },
  }
}

/** The title that is shown: the alias of an entity, or else its own title. */
const shownTitle = ({ lookups }: Search): SearchField => ({
  find: (leaf) => {
    const part = wordsPart(lookups, leaf)
    return () => some([part([ALIAS_CODE]), every([part([TEXT_CODES.title]), not(index(quote(ALIAS_EXISTS_LEXEME)))])])
  },
  exists: index(`${textExists(TEXT_CODES.title)} | ${textExists(ALIAS_CODE)}`),
})

const attacks = ({ lookups }: Search): SearchField => ({
  find: (leaf) => {
    const own = isPlain(leaf)
      ? index(quote(attackLexeme(leaf.text)))
      : condition(
          sql`exists (select from unnest(t.attacks) as v(value) where ${matchesText(leaf, sql`folded(v.value)`)})`,
        )
    // These look for what is similar, others for what a query names.
    if (leaf.kind === 'fuzzy' || leaf.kind === 'range') return () => own
    const successors = lookups.attacks(isPlain(leaf) ? leaf.text : testOf(leaf))
    return () => {
      const found = successors()
      return some([own, found === null ? hasSuccessor(leaf) : anyLexeme(found.map(attackLexeme))])
    }
  },
  exists: condition(sql`t.attacks <> '{}'`),
})

/** Whether the row `t` has a node that took the place of a dead one; the same as `successorsNamed` for rows that are not stored. */
const hasSuccessor = (leaf: Leaf): Part => {
  const named = matchesText(leaf, sql`folded(n.id)`)
  return condition(sql`t.attacks && array(
    select unnest(n.successors) from attack_nodes as n
    where ${named} and not exists (select from attack_nodes as n where n.state = 'live' and ${named}))`)
}

/** A whole id is found by the primary key, so that a query can name hundreds. */
const id: SearchField = {
  find: ready((leaf) => {
    if (!isPlain(leaf)) return condition(matchesText(leaf, sql`t.id::text`))
    const known = parseId('uuid', leaf.text)
    return known === undefined ? NONE : condition(sql`t.id = ${known}::uuid`)
  }),
  exists: ALL,
}

const type = chosen(entityTypes, (values) => sql`t.type = any(${values}::text[])`)

const colour = chosen(TLP, (values) => {
  const ranks = values.filter((name) => name !== 'NONE').map(tlpRank)
  const isColoured = sql<SqlBool>`${rankOf(sql`t.vis`)} = any(${ranks}::integer[])`
  // No colour and NONE have the same visibility, but a query tells them apart.
  return values.includes('NONE') ? sql`(${isColoured} or t.meta ->> 'tlp_color' = 'NONE')` : isColoured
})

const source: SearchField = {
  find: ready((leaf) =>
    condition(
      sql`${sourceOf(sql`t.vis`)} = any(array(
        select n.number from numbered_sources as n join sources as s on s.id = n.id where ${matchesText(leaf, sql`folded(s.name)`)}))`,
    ),
  ),
  exists: ALL,
}

/** The STIX id of the unified entity that an entity contributes to. */
const contributorTo = ({ ctx }: Search): SearchField => ({
  find: ready((leaf) => condition(contributesTo(ctx, matchesText(leaf, sql`folded(u.stix_id)`)))),
  exists: condition(contributesTo(ctx, sql`true`)),
})

const computedOf = ({ ctx }: Search, name: string): RawBuilder<unknown> => {
  const storage = resourceOf(ctx, 'entities').fields[name]?.props.storage
  if (storage?.kind !== 'computed' || typeof storage.expression === 'string')
    throw new TypeError(`${name} is not computed.`)
  return sql`(${storage.expression(ctx)})`
}

/** The members of the meta that are searched by value: numbers, times and booleans. */
const metaValues: NamedFields = Object.fromEntries(
  Object.entries(metaMembers as Members).flatMap(([name, field]): [string, (search: Search) => SearchField][] => {
    const make = searchOf(field)
    return make ? [[`meta.${name}`, make]] : []
  }),
)

function searchOf({ props: { storage, isNullable } }: Member): ((search: Search) => SearchField) | undefined {
  if (storage.kind === 'column' && storage.column) {
    const { column, type } = storage
    if (type === 'integer') return () => integer(column)
    const value = sql`t.${sql.ref(column)}`
    if (type === 'text') return () => text(value, condition(sql`${value} is not null`))
    if (type === 'timestamptz') return (search) => time(column, search, isNullable)
  }
  if (storage.kind !== 'computed') return undefined
  const { expression, type } = storage
  const value = (ctx: Context) => (typeof expression === 'string' ? sql.raw(expression) : sql`(${expression(ctx)})`)
  if (type === 'boolean') return ({ ctx }) => boolean(value(ctx))
  return type === 'timestamptz' ? (search) => time(value(search.ctx), search) : undefined
}

const fields: NamedFields = {
  ...metaValues,
  // Every entity has these, and none of them has a value.
  data: () => ({ ...nothing, exists: ALL }),
  meta: () => ({ ...nothing, exists: ALL }),
  sources: () => ({ ...nothing, exists: ALL }),
  extracts: () => ({ ...nothing, exists: hasObservables }),
  'extracts.meta': () => ({ ...nothing, exists: hasObservables }),
  id: () => id,
  type: () => type,
  'data.type': () => type,
  'data.id': () => text(sql`t.stix_id`),
  tags,
  'meta.tags': tags,
  'meta.tlp_color': () => colour,
  'meta.title': shownTitle,
  'meta.is_contributor_to': contributorTo,
  relevancy: (search) => number(computedOf(search, 'relevancy'), condition(sql`t.threat_start is not null`)),
  created_at: (search) => time('created_at', search),
  last_updated_at: (search) => time('last_updated_at', search),
  'meta.attacks': attacks,
  'meta.taxonomies': () =>
    linked(taxonomies, (leaf) => {
      const wanted = numbersOf(leaf)
      return wanted ? matchesNumber(wanted, sql`o.id`) : sql`false`
    }),
  'meta.taxonomy_paths': () =>
    linked(taxonomies, (leaf) => matchesText(leaf, sql`folded(array_to_string(o.path, '/'))`)),
  'sources.name': () => source,
  'extracts.kind': () => ({
    ...chosen(OBSERVABLE_TYPES, (types) => isLinked(observables, sql`o.type = any(${types}::text[])`)),
    exists: hasObservables,
  }),
  'extracts.value': observableValue,
  'extracts.meta.maliciousness': ({ ctx }) => ({
    ...chosen(MALICIOUSNESS, (levels) => isLinked(observables, isMalicious(ctx, 'o', levels))),
    exists: hasObservables,
  }),
  'extracts.meta.classification': ({ ctx }) => ({
    ...chosen(CLASSES, (classes) => isLinked(observables, isMalicious(ctx, 'o', classes.flatMap(levelsOf)))),
    exists: hasObservables,
  }),
}

/** The named search fields of entities; in addition, every path inside the documents can be searched. */
export const entityFieldNames: readonly string[] = [...Object.keys(fields), ...Object.keys(TEXT_FIELDS)]

const dataNames = entityData.options.flatMap(({ shape }) => Object.keys(shape).map((name) => `data.${name}`))

/** The search fields of entities. */
export const entityFields: SearchFields = {
  field: entityField,
  defaults: defaultFields,
  titles: ['data.title', 'meta.title', 'meta.alias'],
  isTitle: (text) => {
    const wanted = foldCase(text.trim())
    return sql`${wanted}::text in (folded(t.data ->> 'title'), folded(t.meta ->> 'alias'))`
  },
  names: [...new Set([...entityFieldNames, ...dataNames])],
  ownNames: async ({ db }) => [...attributesOf(await readShape(db)).keys()].map((name) => `data.${name}`),
}
