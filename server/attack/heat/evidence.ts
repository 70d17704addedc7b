import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Page, Resource } from '../../engine/definition.ts'
import { searched } from '../../engine/field.ts'
import { and, remaining, visible } from '../../engine/select.ts'
import { standard } from '../../engine/standard.ts'
import { entities } from '../../intelligence/entities/entities.ts'
import { memberships } from '../../intelligence/entities/unified.ts'
import { relationshipSteps } from '../../intelligence/relational/steps.ts'
import { attackLexeme } from '../../search/lexemes.ts'
import { anyLexeme, toSql } from '../../search/sql/parts.ts'
import type { EvidencePlan } from './evidence-parameters.ts'
import type { HeatPlan } from './heat-parameters.ts'
import { conditionsOf, isWithin } from './scope.ts'

const CONDITION = 'is_evidence'

/** A page of the entities that a heat with the same parameters counts for a node. */
export async function listEvidence(asked: Context, plan: EvidencePlan): Promise<Page> {
  const { list } = plan
  const ctx = { ...asked, at: list.at }
  const isEvidence = and(await evidenceConditions(ctx, plan))
  // A list with one filter more, so that it is sorted, paged and counted like every other.
  const filtered: Resource = {
    ...entities,
    search: {
      ...entities.search,
      filters: {
        ...entities.search?.filters,
        [CONDITION]: searched(
          'nothing',
          () => undefined,
          () => isEvidence,
        ),
      },
    },
  }
  const filters = [...list.filters, { path: CONDITION, operator: '=', values: [] } as const]
  return (entities.operations.list ?? standard.list)(ctx, filtered, { ...list, reduction: null, filters })
}

/** What an entity `t` must meet, apart from the query and the filters of the list. */
async function evidenceConditions(ctx: Context, { node, heat, list }: EvidencePlan): Promise<RawBuilder<SqlBool>[]> {
  const { aggregate, relations, scopes } = heat
  const isClassified = hasNode(await nodesOf(ctx, node, aggregate))
  // Which contributors are left out depends on all entities of the scope, not only on those with the node.
  const matching = heat.list.reduction === null ? [] : await conditionsOf(ctx, heat)
  const form = list.countOnly && list.cap === 0 ? 'condition' : 'rowCondition'
  return [
    ...(await Promise.all(scopes.map((scope) => isWithin(ctx, scope)))),
    ...remaining(ctx, entities, heat.list.reduction, matching, form),
    relations ? sql`(${isClassified} or t.id in (${relatedTo(ctx, isClassified)}))` : isClassified,
  ]
}

/** The node, and those whose scores flow into it. */
async function nodesOf({ db }: Context, node: string, aggregate: HeatPlan['aggregate']): Promise<readonly string[]> {
  if (aggregate === 'none') return [node]
  const { rows } = await sql<{ id: string }>`
    select id from attack_nodes where parent = ${node} and type = 'subtechnique' and state = 'live'`.execute(db)
  return [node, ...rows.map(({ id }) => id)]
}

/** Whether the entity `t` is classified with one of these nodes. The index ignores case, ids do not. */
const hasNode = (nodes: readonly string[]): RawBuilder<SqlBool> =>
  sql`(${toSql(anyLexeme(nodes.map(attackLexeme)))} and t.attacks && ${nodes}::text[])`

/** The entities with a relationship to a visible one that meets a condition; and the unified entities of those. */
const relatedTo = (ctx: Context, isClassified: RawBuilder<SqlBool>): RawBuilder<unknown> => sql`
  with near as materialized (
    select t.id from entities as t where ${isClassified} and ${visible(ctx, entities)}
  ),
  steps as materialized (
    ${sql.join(
      relationshipSteps(ctx, 'near', { direction: 'any' }).map((steps) => sql`select far from (${steps}) as w`),
      sql` union `,
    )}
  )
  select far from steps
  union
  select m.unified from steps as s join ${memberships(ctx)} as m on m.entity = s.far`
