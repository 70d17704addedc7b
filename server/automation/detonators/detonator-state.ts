import { type RawBuilder, sql } from 'kysely'
import type { Server } from '../../server.ts'
import { MAX_FAULTS } from '../circuit.ts'
import { isInstalled } from './find-adapter.ts'

/** Whether a detonator submits samples now, and if not, why. */
export const DETONATOR_STATES = ['ACTIVE', 'WAITING', 'UNREACHABLE', 'SUSPENDED', 'NOT_INSTALLED', 'INACTIVE'] as const

type Installed = Pick<Server, 'sandboxes'>

/** The state of the detonator `t`. */
export const stateOf = (server: Installed): RawBuilder<string> => sql`case
  when not ${isInstalled(server)} then 'NOT_INSTALLED'
  when not t.is_active then 'INACTIVE'
  when t.suspended_at is not null then 'SUSPENDED'
  when t.waits_until > now() then 'WAITING'
  when t.faults >= ${sql.lit(MAX_FAULTS)} then 'UNREACHABLE'
  else 'ACTIVE' end`

/** Why the detonator `t` is in its state, for its readers. */
export const reasonOf = (server: Installed): RawBuilder<string | null> => sql`case
  when not ${isInstalled(server)} then 'There is no adapter ' || quote_literal(t.adapter) || ' in this installation.'
  when not t.is_active then null
  when t.suspended_at is not null then t.suspended_reason
  when t.waits_until > now() then t.wait_reason
  when t.faults > 0 then t.last_fault end`

/** How many submissions the detonator `t` has made on this day in UTC. */
export const countedToday = sql<number>`case when t.counted_on = (now() at time zone 'UTC')::date then t.counted else 0 end`
