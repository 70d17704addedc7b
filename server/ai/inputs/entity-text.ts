import { sql } from 'kysely'
import { readNodes } from '../../attack/classification/nodes.ts'
import type { Context, Item } from '../../engine/context.ts'
import { htmlText } from '../../formats/text/html-text.ts'
import type { Untrusted } from '../prompting/untrusted.ts'
import type { InputEntity } from './input-entities.ts'

/** The parts of an entity that a prompt may consist of. */
export const ENTITY_FIELDS = [
  'title',
  'type',
  'description',
  'observed_time',
  'tags',
  'taxonomy',
  'attack',
  'references',
] as const
export type EntityField = (typeof ENTITY_FIELDS)[number]

/** What entities say, as texts for a prompt: one for each, in their order. Takes two statements at most. */
export async function entityTexts(
  ctx: Context,
  entities: readonly InputEntity[],
  name: string,
  fields: readonly EntityField[] = ENTITY_FIELDS,
): Promise<Untrusted[]> {
  const metas = entities.map(({ row }) => row.meta as Item)
  const taxonomies = fields.includes('taxonomy') ? await taxonomyPaths(ctx, metas.flatMap(taxonomiesIn)) : new Map()
  const isClassified = fields.includes('attack') && metas.some((meta) => listIn(meta.attacks).length > 0)
  const nodes = isClassified ? await readNodes(ctx) : undefined
  const nodeName = (id: string): string => {
    const node = nodes?.get(id)
    return node ? `${node.external_id} ${node.name}` : id
  }
  return entities.map((entity, index) => {
    const { data, meta } = entity.row as unknown as { readonly data: Item; readonly meta: Item }
    const lines: Readonly<Record<EntityField, string>> = {
      title: entity.title,
      type: typeof data.custom_entity_type === 'string' ? data.custom_entity_type : entity.type,
      observed_time: textIn(meta.estimated_observed_time),
      tags: listIn(meta.tags).join(', '),
      taxonomy: taxonomiesIn(meta)
        .flatMap((id) => taxonomies.get(id) ?? [])
        .join(', '),
      attack: listIn(meta.attacks).map(nodeName).join(', '),
      references: referencesIn(data).join('\n'),
      description: descriptionOf(entity, data),
    }
    const shown = (Object.entries(lines) as [EntityField, string][]).filter(
      ([field, text]) => fields.includes(field) && text !== '',
    )
    return {
      name: `${name}${entities.length > 1 ? ` ${index + 1} of ${entities.length}` : ''}`,
      text: shown.map(([field, text]) => `${LABELS[field]}: ${text}`).join('\n'),
    }
  })
}

const LABELS: Readonly<Record<EntityField, string>> = {
  title: 'Title',
  type: 'Type',
  observed_time: 'Observed',
  tags: 'Tags',
  taxonomy: 'Taxonomies',
  attack: 'Attack techniques',
  references: 'References',
  description: 'Description',
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
const listIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

const taxonomiesIn = ({ taxonomies }: Item): number[] =>
  Array.isArray(taxonomies)
    ? taxonomies.map((each) => Number(typeof each === 'object' && each !== null && 'id' in each ? each.id : each))
    : []

/** The description as its readers see it: markup would only take room. */
function descriptionOf({ description }: InputEntity, { description_structuring_format: format }: Item): string {
  const isHtml = /html/i.test(textIn(format)) || /^\s*<(?:!doctype|[a-z][a-z\d]*[\s/>])/i.test(description)
  return isHtml ? htmlText(description).text.trim() : description.trim()
}

/** The addresses and names of what an entity refers to outside the platform. */
function referencesIn({ external_references: references }: Item): string[] {
  if (!Array.isArray(references)) return []
  return references.flatMap((reference: unknown) => {
    if (typeof reference === 'string') return [reference]
    if (typeof reference !== 'object' || reference === null) return []
    const { source_name, external_id, url } = reference as Item
    const parts = [source_name, external_id, url].filter((part) => typeof part === 'string' && part !== '')
    return parts.length === 0 ? [] : [parts.join(' ')]
  })
}

async function taxonomyPaths({ db }: Context, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; path: string }>`
    select t.id, array_to_string(t.path, ' / ') as path from taxonomies as t
    where t.id = any(${[...new Set(ids)]}::integer[])`.execute(db)
  return new Map(rows.map(({ id, path }) => [id, path]))
}
