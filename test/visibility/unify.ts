import { type Kysely, sql } from 'kysely'
import { rankOf, sourceOf } from '../../server/identity/access/visibility.ts'
import { type Instance, id } from './instance.ts'
import { rows } from './people.ts'

/** Makes entities that were written like others the unified entities of their contributors. */
export async function unify(db: Kysely<unknown>, instances: readonly Instance[]): Promise<void> {
  const pairs = instances.flatMap((instance) =>
    instance.world.entities.flatMap(({ name, unifies }) =>
      unifies.map((contributor) => ({ unified: id(instance, name), entity: id(instance, contributor) })),
    ),
  )
  await sql`
    insert into contributors (entity, unified)
    select i.entity, i.unified from ${rows(pairs, 'entity uuid, unified uuid')}`.execute(db)
  await sql`
    update entities as t
    set is_unified = true, vis = composite_of(${sourceOf(sql`t.vis`)}, ${rankOf(sql`t.vis`)}, array(
      select e.vis from contributors as m join entities as e on e.id = m.entity where m.unified = t.id))
    where t.id = any(${pairs.map(({ unified }) => unified)}::uuid[])`.execute(db)
}
