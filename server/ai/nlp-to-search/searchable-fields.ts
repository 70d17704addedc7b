import type { z } from 'zod'
import {
  entityList,
  type FieldList,
  type FieldType,
  observableList,
} from '../../analytics/search-fields/search-field-lists.ts'
import { OBSERVABLE_TYPES } from '../../domain/observables/types.ts'
import type { Context } from '../../engine/context.ts'
import { entityData, entityTypes } from '../../intelligence/entities/entity-data.ts'
import { MALICIOUSNESS } from '../../intelligence/entities/observables-in.ts'
import { time } from '../../intelligence/entities/records/time.ts'
import { entityFields } from '../../intelligence/entities/search-fields.ts'
import { sourceReliability } from '../../intelligence/entities/vocabulary.ts'
import { CLASSES } from '../../intelligence/observables/sight.ts'
import { dataTypes } from '../../intelligence/shaping/data-types.ts'
import { attributesOf, readShape, type Shape, type ShapedAttribute } from '../../intelligence/shaping/shape.ts'
import { serverSetting } from '../../settings/server.ts'
import { readSetting } from '../../settings/setting.ts'
import { type Choices, choicesOf, colourChoices, flagChoices } from './choices.ts'

export const SEARCHED = ['entities', 'observables'] as const
export type Searched = (typeof SEARCHED)[number]

/** Values that are looked up, because the installation decides what there is. */
export type KnownValues = 'tags' | 'sources' | 'taxonomies' | 'attacks'

/** A field as a model may name it. */
export interface SearchableField {
  readonly name: string
  /** Where the query searches: in any of these fields; null for the default fields. */
  readonly paths: readonly (string | null)[]
  /** What may be compared with it. `any` if the value of an entity decides. */
  readonly kind: FieldType | 'any'
  /** Undefined for fields of documents that no one has described. */
  readonly doc?: string | undefined
  /** Whether others than the authors of this program described it. */
  readonly isOwn?: boolean
  readonly choices?: Choices
  readonly known?: KnownValues
  /** The field that may have a value which this one cannot have. */
  readonly otherwise?: SearchableField
  /** Whether it is another name of a field, which is accepted but not offered. */
  readonly isAlias?: boolean
}

export type SearchableFields = ReadonlyMap<string, SearchableField>

/** Searches the default fields. */
export const ANYWHERE = 'anywhere'
const CONFIDENCE = ['unknown', 'none', 'low', 'medium', 'high'] as const

/** The fields that the caller can search. */
export async function searchableFields(ctx: Context, searched: Searched): Promise<SearchableFields> {
  const fields = searched === 'entities' ? await ofEntities(ctx) : ofObservables()
  const mayReadObservables = ctx.caller.permissions.has('read extracts')
  return new Map(
    fields
      .filter(({ name }) => mayReadObservables || !name.startsWith('extracts.'))
      .map((field) => [field.name, field]),
  )
}

async function ofEntities(ctx: Context): Promise<SearchableField[]> {
  const [shape, { tlp_amber_strict_downgrade }] = await Promise.all([
    readShape(ctx.db),
    readSetting(ctx.db, serverSetting),
  ])
  const special = specialFields(shape, tlp_amber_strict_downgrade === 'AMBER' ? 'AMBER' : 'RED')
  const own = [...attributesOf(shape).values()].map(attributeField)
  const names = entityFields.names.filter((name) => name.startsWith('data.') && !HIDDEN.has(name))
  return distinct([
    anywhere('The words of titles, aliases, descriptions, tags and values of observables.'),
    ...special,
    ...own,
    ...fieldsOf(entityList),
    ...names.map((name): SearchableField => ({ name, paths: [name], kind: TIMES.has(name) ? 'date' : 'any' })),
  ])
}

/** The fields that hold times in the data of all types that have them. */
const TIMES = new Set(
  entityData.options.flatMap(({ shape }) =>
    Object.entries(shape).flatMap(([name, schema]) => (isTime(schema) ? [`data.${name}`] : [])),
  ),
)

function isTime(schema: z.core.$ZodType): boolean {
  if (schema === time) return true
  return 'innerType' in schema._zod.def && isTime(schema._zod.def.innerType as z.core.$ZodType)
}

/** Names that are not searched, or that are documents as a whole. */
const HIDDEN = new Set(['data.extracts', 'data.attachments', 'meta.taxonomies'])

const ofObservables = (): SearchableField[] =>
  distinct([
    anywhere('The values.'),
    { name: 'type', paths: ['type'], kind: 'keyword', doc: 'The type.', choices: choicesOf(OBSERVABLE_TYPES) },
    { ...maliciousness, name: 'meta.maliciousness', paths: ['meta.maliciousness'] },
    ...fieldsOf(observableList),
  ])

const anywhere = (doc: string): SearchableField => ({ name: ANYWHERE, paths: [null], kind: 'text', doc })

/** Of several fields with one name, the first. */
const distinct = (fields: readonly SearchableField[]): SearchableField[] => [
  ...new Map(fields.toReversed().map((field) => [field.name, field])).values(),
]

const fieldsOf = (list: FieldList): SearchableField[] =>
  Object.entries(list).flatMap(([name, [kind, doc]]) =>
    HIDDEN.has(name) ? [] : [{ name, paths: [name], kind, doc, ...(kind === 'boolean' && { choices: flagChoices }) }],
  )

const maliciousness = {
  name: 'extracts.meta.maliciousness',
  paths: ['extracts.meta.maliciousness'],
  kind: 'keyword',
  doc: 'How malicious its observables are.',
  choices: choicesOf(MALICIOUSNESS, true),
} as const satisfies SearchableField

const confidence = {
  name: 'confidence',
  paths: ['data.confidence', 'data.confidence.value'],
  kind: 'keyword',
  doc: 'How sure its author is.',
  choices: choicesOf(CONFIDENCE, true),
} as const satisfies SearchableField

function specialFields(shape: Shape, strictDowngrade: 'RED' | 'AMBER'): SearchableField[] {
  const ownTypes = [...shape.types.values()].filter(({ is_custom }) => is_custom).map(({ type }) => type)
  const ownType: SearchableField = {
    name: 'data.custom_entity_type',
    paths: ['data.custom_entity_type'],
    kind: 'keyword',
    doc: 'The type that the organisation defined, of an entity of the type custom-entity.',
    choices: choicesOf(ownTypes),
    isOwn: true,
  }
  const type: SearchableField = {
    name: 'type',
    paths: ['type'],
    kind: 'keyword',
    doc: 'The type.',
    choices: choicesOf(entityTypes),
    otherwise: ownType,
  }
  return [
    type,
    { ...type, name: 'data.type', isAlias: true },
    ownType,
    { ...known('tags', 'tags', ''), name: 'meta.tags', isAlias: true },
    known('tags', 'tags', 'The tags.'),
    known('sources.name', 'sources', 'The name of its source.'),
    known(
      'meta.taxonomy_paths',
      'taxonomies',
      'Terms of taxonomies, by name or path such as `a/b`, with all below them.',
    ),
    known('meta.attacks', 'attacks', 'Tactics and techniques of attack frameworks, by id such as T1566 or by name.'),
    confidence,
    { ...confidence, name: 'data.confidence', isAlias: true },
    { ...confidence, name: 'data.confidence.value', isAlias: true },
    {
      name: 'meta.tlp_color',
      paths: ['meta.tlp_color'],
      kind: 'keyword',
      doc: 'The TLP colour.',
      choices: colourChoices(strictDowngrade),
    },
    {
      name: 'meta.source_reliability',
      paths: ['meta.source_reliability'],
      kind: 'keyword',
      doc: 'The reliability of its source; A is the best.',
      choices: choicesOf(sourceReliability.options.toReversed(), true),
    },
    {
      name: 'extracts.kind',
      paths: ['extracts.kind'],
      kind: 'keyword',
      doc: 'The types of its observables.',
      choices: choicesOf(OBSERVABLE_TYPES),
    },
    maliciousness,
    {
      name: 'extracts.meta.classification',
      paths: ['extracts.meta.classification'],
      kind: 'keyword',
      doc: 'Whether its observables are good, bad or unknown.',
      choices: choicesOf(CLASSES),
    },
  ]
}

const known = (name: string, values: KnownValues, doc: string): SearchableField => ({
  name,
  paths: [name],
  kind: 'keyword',
  doc,
  known: values,
})

function attributeField({
  name,
  data_type,
  allowed_values,
  display_name,
  description,
}: ShapedAttribute): SearchableField {
  const kind = dataTypes[data_type].searched
  const texts = allowed_values?.filter((value) => typeof value === 'string') ?? []
  const choices = kind === 'boolean' ? flagChoices : texts.length > 0 ? choicesOf(texts) : undefined
  return {
    name: `data.${name}`,
    paths: [`data.${name}`],
    kind,
    doc: description || display_name || undefined,
    isOwn: true,
    ...(choices && { choices }),
  }
}
