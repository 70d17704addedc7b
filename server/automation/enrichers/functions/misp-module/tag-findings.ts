import type { Json } from '../../../../formats/json/record.ts'
import { type NamedEntity, relatedEntitiesOf } from '../../../../formats/misp/galaxies.ts'
import { type EntityType, entityTypes } from '../../../../intelligence/entities/entity-data.ts'
import type { Finding } from '../../function.ts'

const MAX_TITLE_LENGTH = 500

/** What the tags and galaxies of an object say: techniques, named entities, and other tags as they are. */
export function tagFindings(holder: Json): Finding[] {
  const { entities, tags } = relatedEntitiesOf(holder)
  return [
    ...entities.flatMap(entityFindings),
    ...tags.map((value): Finding => ({ kind: 'tag', value: value.slice(0, MAX_TITLE_LENGTH) })),
  ]
}

function entityFindings({ data, attacks = [] }: NamedEntity): Finding[] {
  const { type, title, description, aliases } = data
  if (!isEntityType(type)) return []
  const techniques = attacks.flatMap(({ id }) => id ?? [])
  if (techniques.length > 0) return techniques.map((node) => ({ kind: 'attack', node }))
  const name = title.slice(0, MAX_TITLE_LENGTH)
  return [
    {
      kind: 'entity',
      type,
      id: `misp-galaxy:${name}`,
      title: name,
      ...(typeof description === 'string' && { description }),
      ...(Array.isArray(aliases) && { names: aliases.filter((alias) => typeof alias === 'string') }),
    },
  ]
}

const isEntityType = (type: unknown): type is EntityType => (entityTypes as readonly unknown[]).includes(type)
