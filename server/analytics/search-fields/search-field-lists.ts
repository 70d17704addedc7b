import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { TLP } from '../../domain/tlp.ts'
import type { Context } from '../../engine/context.ts'
import type { Members, Storage } from '../../engine/storage.ts'
import { holdsKey } from '../../identity/access/sight.ts'
import { rankOf, sourceOf } from '../../identity/access/visibility.ts'
import { metaMembers } from '../../intelligence/entities/meta.ts'
import { createdAt, lastUpdatedAt, maliciousness } from '../../intelligence/observables/sight.ts'
import { dataTypes } from '../../intelligence/shaping/data-types.ts'
import { attributesOf, readShape } from '../../intelligence/shaping/shape.ts'
import { byDay } from '../aggregating/readings.ts'
import { type Values, valuesOf } from '../aggregating/values.ts'

export const FIELD_TYPES = ['text', 'keyword', 'number', 'date', 'boolean'] as const
export type FieldType = (typeof FIELD_TYPES)[number]

/** Fields by name, with their type and description. */
export type FieldList = Readonly<Record<string, readonly [FieldType, string]>>

const UPDATED = 'When it was last changed.'

/** The members of the meta that say what they are about; of what they hold their type tells. */
function metaList(): FieldList {
  return Object.fromEntries(
    Object.entries(metaMembers as Members).flatMap(([name, { props }]) =>
      props.doc === undefined ? [] : [[`meta.${name}`, [TEXTS.has(name) ? 'text' : typeOf(props.storage), props.doc]]],
    ),
  )
}

/** What is searched by its words. */
const TEXTS = new Set(['alias', 'title'])

const TYPES: Readonly<Record<string, FieldType>> = { integer: 'number', timestamptz: 'date', boolean: 'boolean' }

const typeOf = (storage: Storage): FieldType =>
  storage.kind === 'refs' ? 'number' : (('type' in storage ? TYPES[storage.type] : undefined) ?? 'keyword')

export const entityList: FieldList = {
  id: ['keyword', 'The id of the entity.'],
  type: ['keyword', 'The type of the entity.'],
  tags: ['keyword', 'The tags.'],
  relevancy: ['number', 'From 0 to 1; halves with every half-life.'],
  created_at: ['date', 'When it was first ingested.'],
  last_updated_at: ['date', UPDATED],
  'data.id': ['keyword', 'The STIX id.'],
  'data.type': ['keyword', 'Same as `type`.'],
  'data.title': ['text', 'The title.'],
  'data.names': ['text', 'Other names.'],
  'data.names.value': ['text', 'Same as `data.names`.'],
  'data.description': ['text', 'The description.'],
  'data.short_description': ['text', 'The short description.'],
  ...metaList(),
  'meta.taxonomy_paths': ['keyword', 'Paths of taxonomies, such as `a/b`.'],
  'sources.name': ['keyword', 'The name of its source.'],
  'extracts.kind': ['keyword', 'The types of its observables.'],
  'extracts.value': ['keyword', 'The values of its observables.'],
  'extracts.meta.maliciousness': ['keyword', 'How malicious its observables are.'],
  'extracts.meta.classification': ['keyword', 'Whether its observables are good, bad or unknown.'],
}

/** The custom attributes of entity types. */
export async function customAttributeList({ db }: Context): Promise<FieldList> {
  const attributes = [...attributesOf(await readShape(db)).values()]
  return Object.fromEntries(
    attributes.map(({ name, data_type, display_name, description }) => [
      `data.${name}`,
      [dataTypes[data_type].searched, description || display_name || `The custom attribute \`${name}\`.`] as const,
    ]),
  )
}

export const observableList: FieldList = {
  id: ['number', 'The id of the observable.'],
  type: ['keyword', 'The type of the observable.'],
  value: ['keyword', 'The value.'],
  created_at: ['date', 'When it became visible to you.'],
  last_updated_at: ['date', UPDATED],
  'meta.maliciousness': ['keyword', 'How malicious it is.'],
}

export const relationshipList: FieldList = {
  id: ['keyword', 'The id of the relationship.'],
  key: ['keyword', 'The kind of relationship.'],
  created_at: ['date', 'When it was first ingested.'],
  last_updated_at: ['date', UPDATED],
  strict_stix_1: ['boolean', 'Whether STIX 1.2 supports such a relationship.'],
  strict_stix_2: ['boolean', 'Whether STIX 2.1 supports such a relationship.'],
  'data.key': ['keyword', 'Same as `key`.'],
  'data.subtype': ['keyword', 'Details beyond the key.'],
  'data.description': ['text', 'The description.'],
  'data.source': ['keyword', 'The id of the source entity.'],
  'data.target': ['keyword', 'The id of the target entity.'],
  'data.source.type': ['keyword', 'The type of the source entity.'],
  'data.target.type': ['keyword', 'The type of the target entity.'],
  'meta.tlp_color': ['keyword', 'The TLP colour.'],
  'sources.name': ['keyword', 'The names of its sources.'],
}

/** Where the example values of a field come from. */
export type Exemplified = (ctx: Context, name: string) => Values | undefined

export const entityExamples: Exemplified = (ctx, name) => valuesOf(ctx, name, 'v', byDay)

const single = (value: RawBuilder<unknown>): Values => ({ joins: sql``, value, isRepeated: false })
const times: Readonly<Record<string, Values>> = {
  created_at: single(byDay.moment(sql`t.created_at`)),
  last_updated_at: single(byDay.moment(sql`t.last_updated_at`)),
}

export const observableExamples: Exemplified = (ctx, name) => {
  if (name === 'id') return single(sql`t.id::text`)
  if (name === 'type') return single(sql`t.type`)
  if (name === 'value') return single(sql`t.value`)
  if (name === 'created_at') return single(byDay.moment(createdAt(ctx)))
  if (name === 'last_updated_at') return single(byDay.moment(lastUpdatedAt(ctx)))
  return name === 'meta.maliciousness' ? single(maliciousness(ctx, 't')) : undefined
}

const endType = (end: 'source' | 'target') =>
  single(sql`(select e.type from entities as e where e.id = ${sql.ref(`t.${end}`)})`)

const ofRelationships: Readonly<Record<string, Values>> = {
  ...times,
  id: single(sql`t.id::text`),
  key: single(sql`t.key`),
  strict_stix_1: single(sql`t.strict_stix_1::text`),
  strict_stix_2: single(sql`t.strict_stix_2::text`),
  'data.key': single(sql`t.key`),
  'data.subtype': single(sql`t.subtype`),
  'data.description': single(sql`(t.data ->> 'description')`),
  'data.source': single(sql`t.source::text`),
  'data.target': single(sql`t.target::text`),
  'data.source.type': endType('source'),
  'data.target.type': endType('target'),
  'meta.tlp_color': single(sql`(${TLP}::text[])[${rankOf(sql`t.vis[1]`)} + 1]`),
}

export const relationshipExamples: Exemplified = (ctx, name) =>
  name === 'sources.name'
    ? {
        joins: sql`cross join lateral unnest(t.vis) as k(key) join sources as s on s.number = ${sourceOf(sql`k.key`)}`,
        // Who sees a relationship need not see all of its sources.
        value: sql`case when ${holdsKey(ctx, sql`k.key`)} then s.name end`,
        isRepeated: true,
      }
    : ofRelationships[name]
