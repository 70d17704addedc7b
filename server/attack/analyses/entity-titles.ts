import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { isTimeout, tooBroad } from '../../engine/errors.ts'
import type { HeatPlan } from '../heat/heat-parameters.ts'
import { isCounted } from '../heat/scope.ts'

const MAX_TITLES = 10
const MAX_LENGTH = 200

/** The titles of the newest entities that count for each node, among those that the caller sees. */
export async function entityTitles(asked: Context, plan: HeatPlan): Promise<ReadonlyMap<string, readonly string[]>> {
  const ctx = { ...asked, at: plan.list.at }
  const where = await isCounted(ctx, plan)
  const { rows } = await sql<{ node: string; titles: string[] }>`
    with classified as (
      select distinct unnest(t.attacks) as node, t.id as key from entities as t where ${where}
    ),
    ranked as materialized (
      select c.node, c.key, row_number() over (partition by c.node order by c.key desc) as place
      from classified as c
      join attack_nodes as n on n.id = c.node
      where n.matrix = ${plan.matrix} and n.state = 'live'
    )
    select r.node, array_agg(
      left(coalesce(nullif(e.meta ->> 'alias', ''), nullif(e.data ->> 'title', ''), e.type), ${MAX_LENGTH}) order by r.place) as titles
    from ranked as r join entities as e on e.id = r.key
    where r.place <= ${MAX_TITLES}
    group by r.node`
    .execute(ctx.db)
    .catch((error) => {
      throw isTimeout(error) ? tooBroad('counting the entities takes too long.', error) : error
    })
  return new Map(rows.map(({ node, titles }) => [node, titles.map(oneLine)]))
}

/** A title with line breaks would look like several. */
const oneLine = (title: string): string => title.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
