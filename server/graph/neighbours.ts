import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../engine/context.ts'
import { and, resourceOf, visible } from '../engine/select.ts'
import { mayReach, relationshipSteps } from '../intelligence/relational/steps.ts'
import { mayBeNode, membersOf, nodeOf } from './consolidated.ts'
import type { Asked } from './neighbourhood.ts'
import { type EntityRow, entityColumns, type ObservableRow, observableColumns } from './nodes.ts'

/** The maximum number of items over all groups. Keys are free text, so there may be many groups. */
const MAX_SHOWN_ITEMS = 5000

interface Neighbours {
  readonly way: 'out' | 'in'
  readonly key: string
  readonly type: string
  readonly count: number
  readonly members: readonly (EntityRow & { readonly relationships: readonly string[] })[]
}

interface Observables {
  readonly type: string
  readonly count: number
  readonly members: readonly (ObservableRow & { readonly entities_count: number })[]
}

/** The entity as a node, and as `own` the entities whose relationships it has. */
function around(ctx: Context, { id, consolidation }: Asked): RawBuilder<unknown> {
  return sql`
    it as materialized (
      select ${entityColumns} from entities as t
      where t.id = ${nodeOf(ctx, consolidation, sql`${id}::uuid`)} and ${visible(ctx, resourceOf(ctx, 'entities'))}),
    own as materialized (${membersOf(ctx, consolidation, 'it')})`
}

/** An entity and its neighbours in groups: the largest group first, in each group the oldest entity first. */
export async function findNeighbours(
  ctx: Context,
  asked: Asked,
): Promise<{ entity?: EntityRow | undefined; groups: readonly Neighbours[] }> {
  const isFit = and([mayReach(ctx, asked.entity_types), ...inGroup(asked)])
  const node = nodeOf(ctx, asked.consolidation, sql`t.id`)
  const { rows } = await sql<{ entity: EntityRow; groups: readonly Neighbours[] }>`
    with ${around(ctx, asked)},
    steps as (${sql.join(relationshipSteps(ctx, 'own', asked), sql` union all `)}),
    neighbours as (
      select n.way, n.key, n.type, n.id, array_agg(n.relationship order by n.relationship) as relationships
      from (
        select s.way, s.key, s.relationship, t.type, ${node} as id
        from steps as s join entities as t on t.id = s.far
        where ${isFit}
          -- A contributor is no neighbour of what it contributes to.
          and (t.id not in (select id from own) or (select count(*) from own) = 1)
      ) as n
      group by n.way, n.key, n.type, n.id
    ),
    ranked as materialized (
      select *, count(*) over (partition by way, key, type) as count,
        row_number() over (partition by way, key, type order by id) as rank
      from neighbours
    ),
    shown as (
      select * from ranked
      where ${isOnPage(asked)}
      order by count desc, way desc, key, type, rank
      limit ${MAX_SHOWN_ITEMS}
    ),
    members as (
      select n.way, n.key, n.type, json_agg(json_build_object('id', t.id, 'type', t.type, 'title', t.title,
        'tlp_color', t.tlp_color, 'relationships', n.relationships) order by n.rank) as list
      from shown as n cross join lateral (select ${entityColumns} from entities as t where t.id = n.id) as t
      group by n.way, n.key, n.type
    )
    select to_json(it) as entity, (
      select coalesce(json_agg(json_build_object('way', g.way, 'key', g.key, 'type', g.type, 'count', g.count,
        'members', coalesce(m.list, '[]')) order by g.count desc, g.way desc, g.key, g.type), '[]')
      from (select distinct way, key, type, count from ranked) as g
      left join members as m on m.way = g.way and m.key = g.key and m.type = g.type
    ) as groups
    from it`.execute(ctx.db)
  return rows[0] ?? { groups: [] }
}

/** The observables of an entity by type, and how many other entities have each of those shown. */
export async function findObservables(ctx: Context, asked: Asked): Promise<readonly Observables[]> {
  const [kind, type] = asked.group ?? []
  if (kind !== undefined && kind !== 'observable') return []
  const { rows } = await sql<Observables>`
    with ${around(ctx, asked)},
    ends as materialized (${asked.consolidation === 'unified' ? sql`select id from own` : sql`select id from it`}),
    ranked as materialized (
      select o.id, o.type, count(*) over (partition by o.type) as count,
        row_number() over (partition by o.type order by o.id) as rank
      from (select distinct l.target from ends as e join entity_observables as l on l.source = e.id) as l
      join observables as o on o.id = l.target
      where ${type === undefined ? sql`true` : sql`o.type = ${type}`}
    ),
    shown as materialized (
      select id, rank from ranked where ${isOnPage(asked)} order by count desc, type, rank limit ${MAX_SHOWN_ITEMS}
    ),
    sharing as (
      select n.id, count(distinct ${nodeOf(ctx, asked.consolidation, sql`l.source`)}) as count
      from shown as n
      join entity_observables as l on l.target = n.id and l.source not in (select id from ends)
      join entities as t on t.id = l.source
      where ${and([visible(ctx, resourceOf(ctx, 'entities')), mayBeNode(asked.consolidation)])}
      group by n.id
    ),
    members as (
      select o.type, json_agg(json_build_object('id', o.id, 'type', o.type, 'value', o.value,
        'maliciousness', o.maliciousness, 'entities_count', coalesce(s.count, 0)) order by n.rank) as list
      from shown as n
      cross join lateral (select ${observableColumns(ctx)} from observables as o where o.id = n.id) as o
      left join sharing as s on s.id = n.id
      group by o.type
    )
    select g.type, g.count, coalesce(m.list, '[]') as members
    from (select distinct type, count from ranked) as g left join members as m on m.type = g.type
    order by g.count desc, g.type`.execute(ctx.db)
  return rows
}

const isOnPage = ({ limit, offset }: Asked): RawBuilder<SqlBool> =>
  sql`rank > ${offset} and rank <= ${offset + limit}::bigint`

function inGroup({ group }: Asked): RawBuilder<SqlBool>[] {
  if (!group) return []
  if (group[0] === 'observable') return [sql`false`]
  const [way, key, type] = group
  return [sql`s.way = ${way}`, sql`s.key = ${key}`, sql`t.type = ${type}`]
}
