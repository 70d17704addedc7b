import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { TLP } from '../../domain/tlp.ts'
import { resourceOf } from '../../engine/select.ts'
import {
  ALIAS_CODE,
  ALIAS_EXISTS_LEXEME,
  attackLexeme,
  SEPARATOR,
  TEXT_CODES,
  type TextCode,
  tagLexeme,
} from '../../search/lexemes.ts'
import { quote } from '../../search/title-query.ts'
import { entityTypes } from '../entities/entity-data.ts'
import { boolean, chosen, integer, nothing, number, place, ready, text, time } from './columns.ts'
import type { Search, SearchField, SearchFields } from './compile.ts'
import { dataExists, dataPart } from './data-field.ts'
import { type Leaf, matchesNumber, matchesText, numbersOf, testOf } from './leaf.ts'
import { matchesValue } from './observable-fields.ts'
import { ALL, condition, every, index, NONE, not, type Part, some } from './parts.ts'
import { matchingWords, TEXT_FIELDS, textExists, wordsPart } from './words.ts'

/** The field of an entity that goes by this name; one that does not exist finds nothing. */
function entityField(search: Search, name: string): SearchField {
  const code = Object.hasOwn(TEXT_FIELDS, name) ? TEXT_FIELDS[name] : undefined
  if (code !== undefined) {
    return { find: (leaf) => inTexts(search, leaf, [code]), exists: index(textExists(code)) }
  }
  const known = Object.hasOwn(fields, name) ? fields[name]?.(search) : undefined
  if (known) return known
  if (name.startsWith('data.')) {
    const path = name.slice('data.'.length)
    if (LEFT_OUT.has(path.split('.')[0] ?? '')) return nothing
    return { find: ready((leaf) => dataPart(path, leaf, search.now)), exists: dataExists(path) }
  }
  if (name.startsWith('meta.')) return place(sql`t.meta`, search, name.slice('meta.'.length))
  return nothing
}

/** What is said of no field is looked for in all of these. */
function defaultFields(search: Search, leaf: Leaf): () => Part {
  const { title, description, short_description } = TEXT_CODES
  const codes: TextCode[] = [title, ALIAS_CODE, description, short_description]
  const others = [fields.tags, fields['extracts.value']].flatMap((make) => make?.(search) ?? [])
  if (leaf.kind === 'range' && leaf.from === null && leaf.to === null) {
    return () => some([...codes.map((code) => index(textExists(code))), ...others.map(({ exists }) => exists)])
  }
  const found = [inTexts(search, leaf, codes), ...others.map(({ find }) => find(leaf))]
  return () => some(found.map((part) => part()))
}

/** Of these the index has nothing: they are columns, or large. */
const LEFT_OUT = new Set(['extracts', 'attachments'])

function inTexts({ lookups }: Search, leaf: Leaf, codes: readonly TextCode[]): () => Part {
  const part = wordsPart(lookups, leaf)
  return () => part(codes)
}

/** Entities that are linked with something that matches. */
const linked = (rows: RawBuilder<unknown>, matching: (leaf: Leaf) => RawBuilder<SqlBool>): SearchField => ({
  find: ready((leaf) => condition(sql`t.id = any(array(select l.source ${rows} and ${matching(leaf)}))`)),
  exists: condition(sql`exists (select ${rows} and l.source = t.id)`),
})

const observables = sql`from observables as o join entity_observables as l on l.target = o.id where true`
const taxonomies = sql`from taxonomies as o join entity_taxonomies as l on l.target = o.id where true`

const hasObservables = linked(observables, () => sql`true`).exists

const MALICIOUSNESS = sql`(o.meta ->> 'maliciousness')`

const tags = ({ lookups }: Search): SearchField => ({
  find: (leaf) => {
    if (leaf.kind === 'term' || leaf.kind === 'phrase') {
      return () => (leaf.text === '' ? NONE : index(quote(tagLexeme(leaf.text))))
    }
    if (leaf.kind === 'prefix') return () => index(`${quote(tagLexeme(leaf.text))}:*`)
    const test = leaf.kind === 'fuzzy' ? testOf(leaf) : () => true
    const found = lookups.words(matchingWords(leaf, TAG_SIGN), (word) => test(word.slice(TAG_SIGN.length)))
    return () => (found().length === 0 ? NONE : index(found().map(quote).join(' | ')))
  },
  exists: condition(sql`t.tags <> '{}'`),
})

const TAG_SIGN = `g${SEPARATOR}`

/** The values of observables; that of a whole one is looked up first, because hardly any word is one. */
const observableValue = ({ lookups }: Search): SearchField => {
  const found = linked(observables, (leaf) => matchesValue(leaf, 'o'))
  return {
    ...found,
    find: (leaf) => {
      if (leaf.kind !== 'term' && leaf.kind !== 'phrase') return found.find(leaf)
      const ids = lookups.observable(leaf.text)
      return () => {
        const known = ids()
        if (known === null) return found.find(leaf)()
        return known.length === 0 ? NONE : condition(sql`t.id = any(${known}::uuid[])`)
      }
    },
  }
}

/** The alias of an entity, or else its title. */
const shownTitle = ({ lookups }: Search): SearchField => ({
  find: (leaf) => {
    const part = wordsPart(lookups, leaf)
    return () => some([part([ALIAS_CODE]), every([part([TEXT_CODES.title]), not(index(quote(ALIAS_EXISTS_LEXEME)))])])
  },
  exists: index(`${textExists(TEXT_CODES.title)} | ${textExists(ALIAS_CODE)}`),
})

const attacks: SearchField = {
  find: ready((leaf) =>
    leaf.kind === 'term' || leaf.kind === 'phrase'
      ? index(quote(attackLexeme(leaf.text)))
      : condition(
          sql`exists (select from unnest(t.attacks) as v(value) where ${matchesText(leaf, sql`folded(v.value)`)})`,
        ),
  ),
  exists: condition(sql`t.attacks <> '{}'`),
}

const type = chosen(entityTypes, (values) => sql`t.type = any(${values}::text[])`)

const colour = chosen(TLP, (values) => {
  const ranks = values.filter((name) => name !== 'NONE').map((name) => TLP.indexOf(name as (typeof TLP)[number]))
  const isColoured = sql<SqlBool>`(t.vis & 7) = any(${ranks}::integer[])`
  // Nothing said and NONE are the same to who may see it, but not to who asks.
  return values.includes('NONE') ? sql`(${isColoured} or t.meta ->> 'tlp_color' = 'NONE')` : isColoured
})

const source: SearchField = {
  find: ready((leaf) =>
    condition(
      sql`t.vis >> 3 = any(array(select s.number from sources as s where ${matchesText(leaf, sql`folded(s.name)`)}))`,
    ),
  ),
  exists: ALL,
}

const computedOf = ({ ctx }: Search, name: string): RawBuilder<unknown> => {
  const storage = resourceOf(ctx, 'entities').fields[name]?.props.storage
  if (storage?.kind !== 'computed' || typeof storage.expression === 'string')
    throw new TypeError(`${name} is not computed.`)
  return sql`(${storage.expression(ctx)})`
}

const fields: Readonly<Record<string, (search: Search) => SearchField>> = {
  // Every entity has these, and none of them has a value of its own.
  data: () => ({ ...nothing, exists: ALL }),
  meta: () => ({ ...nothing, exists: ALL }),
  sources: () => ({ ...nothing, exists: ALL }),
  extracts: () => ({ ...nothing, exists: hasObservables }),
  'extracts.meta': () => ({ ...nothing, exists: hasObservables }),
  id: () => text(sql`t.id::text`),
  type: () => type,
  'data.type': () => type,
  'data.id': () => text(sql`t.stix_id`),
  tags,
  'meta.tags': tags,
  'meta.tlp_color': () => colour,
  'meta.title': shownTitle,
  'meta.half_life': () => integer('half_life'),
  relevancy: (search) => number(computedOf(search, 'relevancy'), condition(sql`t.threat_start is not null`)),
  created_at: (search) => time('created_at', search),
  'meta.first_ingest_time': (search) => time('created_at', search),
  last_updated_at: (search) => time('last_updated_at', search),
  'meta.ingest_time': (search) => time('last_updated_at', search),
  'meta.estimated_threat_start_time': (search) => time('threat_start', search, true),
  'meta.estimated_threat_end_time': (search) => time('threat_end', search, true),
  'meta.estimated_observed_time': (search) => time('observed', search, true),
  'meta.attacks': () => attacks,
  'meta.taxonomies': () =>
    linked(taxonomies, (leaf) => {
      const wanted = numbersOf(leaf)
      return wanted ? matchesNumber(wanted, sql`o.id`) : sql`false`
    }),
  'meta.taxonomy_paths': () =>
    linked(taxonomies, (leaf) => matchesText(leaf, sql`folded(array_to_string(o.path, '/'))`)),
  'meta.is_outdated_version': (search) => boolean(computedOf(search, 'is_outdated')),
  'meta.is_unresolved_idref': () => boolean(sql`t.is_unresolved`),
  'meta.is_unified_entity': () => boolean(sql`false`),
  'meta.is_exempt_from_consolidation': () => boolean(sql`false`),
  'sources.name': () => source,
  'extracts.kind': () => linked(observables, (leaf) => matchesText(leaf, sql`folded(o.type)`)),
  'extracts.value': observableValue,
  'extracts.meta.maliciousness': () => linked(observables, (leaf) => matchesText(leaf, sql`folded(${MALICIOUSNESS})`)),
  'extracts.meta.classification': () =>
    linked(observables, (leaf) =>
      matchesText(
        leaf,
        sql`case ${MALICIOUSNESS} when 'safe' then 'good' when 'unknown' then 'unknown' else 'bad' end`,
      ),
    ),
}

/** What can be searched of entities. */
export const entityFields: SearchFields = { field: entityField, defaults: defaultFields }

/** The fields of entities that have a name of their own; beside them there is whatever stands in the documents. */
export const entityFieldNames: readonly string[] = [...Object.keys(fields), ...Object.keys(TEXT_FIELDS)]
