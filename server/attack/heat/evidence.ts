import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Page, Resource } from '../../engine/definition.ts'
import { isTimeout, tooBroad } from '../../engine/errors.ts'
import { searched } from '../../engine/field.ts'
import { and, remaining } from '../../engine/select.ts'
import { standard } from '../../engine/standard.ts'
import { entities } from '../../intelligence/entities/entities.ts'
import { attackLexeme } from '../../search/lexemes.ts'
import { anyLexeme, toSql } from '../../search/sql/parts.ts'
import type { EvidencePlan } from './evidence-parameters.ts'
import type { HeatPlan } from './heat-parameters.ts'
import { conditionsOf, isChosen } from './scope.ts'

const CONDITION = 'is_evidence'

/** A page of the entities that a heat with the same parameters counts for a node. */
export async function listEvidence(asked: Context, plan: EvidencePlan): Promise<Page> {
  // With relations, entities count that do not match the query themselves.
  const list = plan.heat.relations ? { ...plan.list, query: null } : plan.list
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
  return (entities.operations.list ?? standard.list)(ctx, filtered, { ...list, reduction: null, filters }).catch(
    (error) => {
      throw isTimeout(error) ? tooBroad('finding the entities takes too long.', error) : error
    },
  )
}

/** What an entity `t` must meet, apart from the query, unless relations are followed, and the filters of the list. */
async function evidenceConditions(ctx: Context, { node, heat, list }: EvidencePlan): Promise<RawBuilder<SqlBool>[]> {
  // Which contributors are left out depends on all entities that count, not only on those with the node.
  const matching = list.reduction === null ? [] : await conditionsOf(ctx, heat)
  const form = list.countOnly && list.cap === 0 ? 'condition' : 'rowCondition'
  return [
    ...(await isChosen(ctx, heat.relations ? heat : { ...heat, list: { ...list, query: null } })),
    ...remaining(ctx, entities, list.reduction, matching, form),
    hasNode(await nodesOf(ctx, node, heat.aggregate)),
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
