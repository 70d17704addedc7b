import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { displayValue } from '../domain/observables/defang.ts'
import type { ObservableType } from '../domain/observables/types.ts'
import type { Context } from '../engine/context.ts'
import { toUrl } from '../engine/reference.ts'
import { SHOWN_TITLE } from '../intelligence/entities/meta.ts'
import { maliciousness } from '../intelligence/observables/sight.ts'

export const entityNode = z.object({
  kind: z.literal('entity'),
  id: z.uuid(),
  url: z.url(),
  type: z.string(),
  title: z.string(),
  tlp_color: z.string().nullable(),
})

export const observableNode = z.object({
  kind: z.literal('observable'),
  id: z.int(),
  url: z.url(),
  type: z.string(),
  value: z.string(),
  display_value: z.string(),
  maliciousness: z.string(),
})

export const relationshipEdge = z.object({
  kind: z.literal('relationship'),
  id: z.uuid(),
  url: z.url(),
  source: z.uuid(),
  target: z.uuid(),
  key: z.string(),
  subtype: z.string().nullable(),
  count: z.int().optional().describe('With `consolidation=unified`: the number of relationships that it stands for.'),
  relationships: z.array(z.uuid()).optional().describe('With `consolidation=unified`: their ids.'),
})

export const unifiesEdge = z.object({
  kind: z.literal('unifies'),
  source: z.uuid().describe('The unified entity.'),
  target: z.uuid().describe('One of its contributors.'),
})

export const observableEdge = z.object({
  kind: z.literal('observable'),
  source: z.uuid().describe('The entity with the observable.'),
  target: z.int().describe('The observable.'),
  link_type: z.string().nullable(),
})

export interface EntityRow {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly tlp_color: string | null
}

export interface ObservableRow {
  readonly id: number
  readonly type: string
  readonly value: string
  readonly maliciousness: string
}

export interface RelationshipRow {
  readonly id: string
  readonly source: string
  readonly target: string
  readonly key: string
  readonly subtype: string | null
  /** All relationships that it stands for, where those between the same nodes are one edge. */
  readonly relationships?: readonly string[] | null
}

export interface UnifiesRow {
  readonly source: string
  readonly target: string
}

/** The columns of the entity `t` that a graph shows. */
export const entityColumns: RawBuilder<unknown> = sql`
  t.id, t.type, ${sql.raw(SHOWN_TITLE)} as title, t.meta ->> 'tlp_color' as tlp_color`

/** The columns of the observable `o` that a graph shows. */
export const observableColumns = (ctx: Context): RawBuilder<unknown> =>
  sql`o.id, o.type, o.value, ${maliciousness(ctx, 'o')} as maliciousness`

/** The columns of the relationship `r` that a graph shows. */
export const relationshipColumns: RawBuilder<unknown> = sql`r.id, r.source, r.target, r.key, r.subtype`

export const showEntity = (ctx: Context, { id, type, title, tlp_color }: EntityRow): z.output<typeof entityNode> => ({
  kind: 'entity',
  id,
  url: toUrl(ctx.baseUrl, 'entities', id),
  type,
  title,
  tlp_color,
})

export const showObservable = (ctx: Context, row: ObservableRow): z.output<typeof observableNode> => ({
  kind: 'observable',
  id: row.id,
  url: toUrl(ctx.baseUrl, 'observables', row.id),
  type: row.type,
  value: row.value,
  display_value: displayValue(row.type as ObservableType, row.value),
  maliciousness: row.maliciousness,
})

export const showRelationship = (ctx: Context, row: RelationshipRow): z.output<typeof relationshipEdge> => ({
  kind: 'relationship',
  id: row.id,
  url: toUrl(ctx.baseUrl, 'relationships', row.id),
  source: row.source,
  target: row.target,
  key: row.key,
  subtype: row.subtype,
  ...(row.relationships && { count: row.relationships.length, relationships: [...row.relationships] }),
})

export const showUnifies = ({ source, target }: UnifiesRow): z.output<typeof unifiesEdge> => ({
  kind: 'unifies',
  source,
  target,
})
