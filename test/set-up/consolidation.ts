import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { consolidateWritten } from '../../server/automation/consolidation/follow.ts'
import { type Regrouped, regroup } from '../../server/automation/consolidation/regroup.ts'
import type { Context } from '../../server/engine/context.ts'
import { NOBODY } from '../../server/engine/route.ts'
import { asUser } from '../../server/identity/access/as-user.ts'
import type { startApp } from '../app.ts'
import { catchUp, serverOf, untilReadable } from '../followers.ts'

type Corvus = Awaited<ReturnType<typeof startApp>>

const WRITTEN = [
  'entities',
  'entity_versions',
  'changes',
  'contributors',
  'match_subjects',
  'match_keys',
  'switched_off_keys',
  'consolidation_suggestions',
  'consolidation_events',
  'unified_entities',
  'entity_observables',
  'entity_taxonomies',
  'entity_attachments',
]

/** A unified entity as the tests compare it: what of ids and times is arbitrary is left out. */
export interface Unified {
  readonly id: string
  readonly stix_id: string
  readonly contributors: readonly string[]
}

/** Functions to consolidate in an application and to look at the result. */
export function consolidating(corvus: Corvus) {
  /** Runs something in a transaction, as consolidation does, or as a user. */
  const inside = async <T>(work: (ctx: Context) => Promise<T>, user?: number): Promise<T> => {
    const server = await serverOf(corvus)
    return corvus.db.transaction().execute(async (db) => {
      const ctx = { ...server, db, lookup: undefined, caller: NOBODY, baseUrl: '' }
      const caller = user === undefined ? NOBODY : await asUser(ctx, user)
      assert.ok(caller)
      return work({ ...ctx, caller })
    })
  }

  return {
    inside,
    /** Stores a policy with one configuration, as the administrator would. Returns its id. */
    policy: async (
      types: readonly string[],
      { sources = [], isActive = true, group = 1 }: { sources?: string[]; isActive?: boolean; group?: number } = {},
    ): Promise<number> => {
      const { rows } = await sql<{ id: number }>`
        with made as (
          insert into consolidation_rules (name, is_active, merge_group)
          values (${`Policy ${Math.random()}`}, ${isActive}, ${group})
          returning id
        ), configured as (
          insert into consolidation_configurations (policy_id, entity_types, half_life_choice, tlp_choice)
          select id, ${types}::text[], 'highest', 'highest' from made
          returning id
        ), limited as (
          insert into consolidation_configuration_sources (source, target)
          select c.id, s.id from configured as c, unnest(${sources}::uuid[]) as s(id)
        )
        select id from made`.execute(corvus.db)
      return rows[0]?.id ?? 0
    },
    /** Creates a group with a source that the administrator sees. Returns the source. */
    source: async (name: string): Promise<string> => {
      const { id } = (await corvus.call('GET', 'users/self')).body.data
      const { status, body } = await corvus.call('POST', 'groups', { data: { name, users: [id] } })
      assert.equal(status, 201, JSON.stringify(body))
      return body.data.source
    },
    /** Stores entities, and returns their ids. */
    put: async (items: readonly object[]): Promise<string[]> => {
      const { status, body } = await corvus.call('PUT', 'entities', items)
      assert.ok(status < 300, JSON.stringify(body))
      return body.data.map(({ id }: { id: string }) => id)
    },
    /** Makes the follower handle everything that was written. */
    follow: async (): Promise<void> => {
      await untilReadable(corvus.db)
      await catchUp(await serverOf(corvus), consolidateWritten)
    },
    /** Groups all entities again. */
    regroupAll: async (): Promise<Regrouped> => {
      const { rows } = await sql<{ id: string }>`
        select id from entities union select entity from match_subjects union select entity from contributors`.execute(
        corvus.db,
      )
      return inside((ctx) =>
        regroup(
          ctx,
          rows.map(({ id }) => id),
        ),
      )
    },
    /** Everything that consolidation may write. A row that is written again, even with the same values, has another position. */
    written: async (): Promise<readonly string[]> => {
      const parts = WRITTEN.map(
        (table) => sql`select ${table} || ' ' || t.ctid::text || ' ' || t::text as row from ${sql.table(table)} as t`,
      )
      const { rows } = await sql<{ row: string }>`
        select row from (${sql.join(parts, sql` union all `)}) as x order by 1`.execute(corvus.db)
      return rows.map(({ row }) => row)
    },
    /** The unified entities, by their contributors. */
    unified: async (): Promise<Unified[]> => {
      const { rows } = await sql<Unified>`
        select u.id, u.stix_id, array(
          select e.stix_id from contributors as m join entities as e on e.id = m.entity where m.unified = u.id order by 1) as contributors
        from entities as u where u.is_unified
        order by contributors`.execute(corvus.db)
      return rows
    },
  }
}
