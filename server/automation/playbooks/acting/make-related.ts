import { sql } from 'kysely'
import { v5 } from 'uuid'
import { escapeHtml } from '../../../domain/escape-html.ts'
import { TLP, tlpOf, tlpRank } from '../../../domain/tlp.ts'
import type { Item } from '../../../engine/context.ts'
import { resourceOf, visible } from '../../../engine/select.ts'
import { sightOf } from '../../../identity/access/sight.ts'
import type { EntityItem } from '../../../intelligence/entities/compose.ts'
import { type EntityData, entityData } from '../../../intelligence/entities/entity-data.ts'
import type { RelationshipItem } from '../../../intelligence/relationships/write-relationships.ts'
import { type StepContext, StepError, type StepResult } from '../step.ts'
import type { Seen } from './subject.ts'

/** The namespace of the ids of entities that playbooks create. */
const NAMESPACE = '0c5e7c1e-55a1-5b3f-8f0e-6d9d4a1f2b77'

/** An entity to create. */
interface Wanted {
  readonly type: string
  readonly title: string
  readonly description: string
  readonly tags: readonly string[]
  readonly tlp_color: string | null
  readonly relationship: string
  readonly relationship_from: 'new' | 'object'
  readonly once_per: 'object' | 'run'
}

/** Creates an entity and relates it to the object, unless the same step has done so before. Its id follows from the step, so that it exists once. */
export async function makeRelated(step: StepContext, wanted: Wanted, seen: Seen): Promise<StepResult> {
  const { ctx, subject } = step
  const stixId = `{https://corvus.invalid/playbooks}${wanted.type}-${v5(onceFor(step, wanted), NAMESPACE)}`
  const resource = resourceOf(ctx, 'entities')
  const { rows } = await sql<{ id: string }>`
    select t.id from entities as t
    where t.stix_id = ${stixId} and not t.is_unresolved and ${visible(ctx, resource)}`.execute(ctx.db)
  if (rows[0]) return { outcome: 'exists', output: { entity: rows[0].id } }
  const item: EntityItem = {
    data: await dataOf(step, wanted, stixId),
    meta: { tags: [...wanted.tags], tlp_color: colourOf(wanted, seen) },
    ...(subject.collection === 'observables' && { observables: [{ id: Number(subject.id) }] }),
  }
  const made = await resource.operations.create?.(ctx, resource, item as unknown as Item)
  const id = String((Array.isArray(made) ? made[0] : made)?.id)
  if (subject.collection === 'entities') await relate(step, wanted, id)
  return { outcome: 'created', output: { entity: id } }
}

const onceFor = ({ playbook, subject, step, key }: StepContext, { once_per }: Wanted): string =>
  once_per === 'run' ? key : `${playbook.id} ${step} ${subject.collection} ${subject.id}`

const MAX_TITLE_LENGTH = 1000

async function dataOf(step: StepContext, { type, title, description }: Wanted, id: string): Promise<EntityData> {
  const parsed = entityData.safeParse({
    type,
    id,
    title: (await step.fill(title)).slice(0, MAX_TITLE_LENGTH).toWellFormed(),
    ...(description !== '' && { description: await step.fill(description, escapeHtml) }),
  })
  if (parsed.success) return parsed.data
  const lacking = parsed.error.issues.map(({ path }) => path.join('.')).join(', ')
  throw new StepError(
    `An entity of the type ${type} cannot be created with a title and a description alone: ${lacking}.`,
  )
}

/** The more restricted of the wanted colour and that of the object, whose title the entity may contain. */
function colourOf({ tlp_color }: Wanted, { tlp }: Seen): (typeof TLP)[number] | null {
  const rank = Math.max(tlpRank(tlpOf(tlp_color, 'RED')), tlpRank(tlp))
  return rank === 0 ? null : (TLP[rank] ?? 'RED')
}

async function relate({ ctx, subject }: StepContext, { relationship, relationship_from }: Wanted, id: string) {
  const [source, target] = relationship_from === 'new' ? [id, subject.id] : [subject.id, id]
  const resource = resourceOf(ctx, 'relationships')
  const { home } = sightOf(ctx)
  const item: RelationshipItem = { data: { source, key: relationship, target }, sources: [{ id: home ?? '' }] }
  await resource.operations.upsert?.(ctx, resource, [item])
}
