import { sql } from 'kysely'
import { v5 } from 'uuid'
import { TLP } from '../../../domain/tlp.ts'
import type { Context, Item } from '../../../engine/context.ts'
import { resourceOf } from '../../../engine/select.ts'
import { isOfSource, rankOf } from '../../../identity/access/visibility.ts'
import type { EntityItem } from '../../../intelligence/entities/compose.ts'
import { type EntityData, entityData } from '../../../intelligence/entities/entity-data.ts'
import type { SearchPreparation } from '../../../intelligence/entities/search-preparation.ts'
import { writeEntities } from '../../../intelligence/entities/write.ts'
import { loggedByKey } from '../../../intelligence/observables/logged.ts'
import type { Finding, Subject } from '../function.ts'
import type { Place } from './store-findings.ts'

/** The namespace of the ids of entities that enrichers find. */
const NAMESPACE = 'c7a3b4c2-3f6e-5a0f-9f43-6a1e3a4d7b10'

/** The fields with other names of the types that have them. */
const NAMES: Readonly<Record<string, string>> = {
  malware: 'aliases',
  'intrusion-set': 'aliases',
  'threat-actor': 'aliases',
  campaign: 'aliases',
  tool: 'aliases',
  infrastructure: 'aliases',
  'attack-pattern': 'aliases',
}

/** Entities ready to be written, and why others are left out. */
export interface EntityPlan {
  readonly items: readonly EntityItem[]
  readonly warnings: readonly string[]
}

interface Owner {
  readonly enricher: number
  readonly name: string
  /** The id of its source. */
  readonly source: string
}

/**
 * Makes entities of findings. Their ids follow from the enricher, the colour and the id at the provider: an entity of a lower colour
 * never names an observable of a higher one.
 */
export function planEntities(findings: readonly Finding[], owner: Owner, subject: Subject, vis: number): EntityPlan {
  const warnings: string[] = []
  const rank = rankOf(vis)
  const items = new Map<string, EntityItem>()
  for (const finding of findings) {
    if (finding.kind !== 'entity') continue
    const id = v5(`${owner.source} ${rank} ${finding.type} ${finding.id}`, NAMESPACE)
    const parsed = entityData.safeParse(dataOf(finding, id, owner))
    if (!parsed.success) {
      warnings.push(`The ${finding.type} '${finding.title.slice(0, 200)}' was left out: it lacks required fields.`)
      continue
    }
    items.set(id, {
      data: parsed.data,
      meta: { tlp_color: rank === 0 ? null : (TLP[rank] ?? 'RED') },
      sources: [{ id: owner.source }],
      observables: [subject as NonNullable<EntityItem['observables']>[number]],
    })
  }
  return { items: [...items.values()], warnings }
}

function dataOf(finding: Extract<Finding, { kind: 'entity' }>, id: string, { name }: Owner): Item {
  const { type, title, description, names = [], url } = finding
  const names_of = NAMES[type]
  return {
    type,
    title: title.slice(0, 1000),
    id: `{https://corvus.invalid/enrichers}${type}-${id}`,
    ...(description !== undefined && { description }),
    ...(type === 'malware' && { is_family: true }),
    ...(names_of !== undefined && names.length > 0 && { [names_of]: [...names] }),
    external_references: [{ source_name: name, external_id: finding.id, ...(url !== undefined && { url }) }],
  } satisfies Record<string, unknown> as Partial<EntityData> & Item
}

/** Writes the entities and links them to the observable. Those that were linked before and are no longer named lose their link. */
export async function storeEntities(
  ctx: Context,
  place: Place,
  { items }: EntityPlan,
  prepared: SearchPreparation | undefined,
): Promise<void> {
  const { rows } =
    items.length > 0 ? await writeEntities(ctx, resourceOf(ctx, 'entities'), items, { prepared }) : { rows: [] }
  await sql`
    with gone as (
      delete from entity_observables as l using entities as e
      where l.target = ${place.observable} and e.id = l.source and ${isOfSource(sql`e.vis`, sql`${place.sourceNumber}::integer`)}
        and l.source <> all(${rows.map(({ id }) => String(id))}::uuid[])
      returning l.target as id, e.vis
    ), logged as (${loggedByKey(ctx, 'update', sql`gone`)})
    select`.execute(ctx.db)
}
