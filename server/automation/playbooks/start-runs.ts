import { type Kysely, sql } from 'kysely'
import { makeId } from '../../engine/ids.ts'
import type { Subject } from './step.ts'

/** Writes of runs are this deep at most, so that automations that cause each other come to an end. */
export const MAX_DEPTH = 3
/** A loop can also lead through a server outside, which nothing here tells. */
const [MAX_RECENT, RECENT_MINUTES] = [5, 10]
/** A loop is reported once within this time. */
const REPORTED_MINUTES = 60

const NARROW = 'Narrow the trigger, so that it does not follow what its own runs lead to.'
const TOO_DEEP = `Not run: ${MAX_DEPTH} automations caused each other before, which looks like a loop. ${NARROW}`
const TOO_OFTEN = `Not run: it ran ${MAX_RECENT} times on this object within ${RECENT_MINUTES} minutes, which looks like a loop. ${NARROW}`

/** A run to start, unless there is one for the same version, object and occurrence. */
export interface WantedRun extends Pick<Subject, 'collection'> {
  readonly playbook: number
  readonly version: number
  readonly object: string
  readonly occurrence: string
  readonly cause: 'change' | 'schedule' | 'manual'
  /** Of its writes. */
  readonly depth: number
}

/**
 * Starts runs, and gives their ids. What is part of a loop is not run, and one run says so. Runs that users start by hand are no loops.
 */
export async function startRuns(
  db: Kysely<unknown>,
  wanted: readonly WantedRun[],
  createdBy: number | null = null,
): Promise<string[]> {
  if (wanted.length === 0) return []
  const given = wanted.map((each, place) => ({ ...each, id: makeId(), place }))
  const { rows } = await sql<{ id: string }>`
    with wanted as materialized (
      select distinct on (i.playbook, i.version, i.collection, i.object, i.occurrence) i.*
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as i(
        id uuid, playbook integer, version integer, collection text, object text, occurrence text, cause text, depth smallint, place integer)
      join playbooks as p on p.id = i.playbook
      order by i.playbook, i.version, i.collection, i.object, i.occurrence, i.place
    ), fresh as materialized (
      select w.*, row_number() over (partition by w.playbook, w.collection, w.object order by w.place) + (
        select count(*) from playbook_runs as r
        where r.collection = w.collection and r.object = w.object and r.playbook = w.playbook and not r.is_blocked
          and r.cause <> 'manual' and r.created_at > now() - make_interval(mins => ${RECENT_MINUTES})) as turn
      from wanted as w
      where not exists (
          select from playbook_runs as r
          where (r.playbook, r.version, r.collection, r.object, r.occurrence) = (w.playbook, w.version, w.collection, w.object, w.occurrence))
        and not (w.occurrence = '' and exists (
          select from playbook_objects as o
          where (o.playbook, o.version, o.collection, o.object) = (w.playbook, w.version, w.collection, w.object)))
    ), made as (
      insert into playbook_runs (id, playbook, version, collection, object, occurrence, cause, depth, created_by)
      select id, playbook, version, collection, object, occurrence, cause, depth, ${createdBy}::integer
      from fresh
      where cause = 'manual' or (depth <= ${MAX_DEPTH} and turn <= ${MAX_RECENT})
      order by place
      on conflict do nothing
      returning id
    ), blocked as (
      insert into playbook_runs (id, playbook, version, collection, object, occurrence, cause, depth, is_blocked, state, reason, ended_at)
      select distinct on (f.playbook, f.collection, f.object) f.id, f.playbook, f.version, f.collection, f.object, 'loop ' || f.id, f.cause,
        f.depth, true, 'WARNING', case when f.depth > ${MAX_DEPTH} then ${TOO_DEEP} else ${TOO_OFTEN} end, now()
      from fresh as f
      where f.cause <> 'manual' and (f.depth > ${MAX_DEPTH} or f.turn > ${MAX_RECENT})
        and not exists (
          select from playbook_runs as r
          where r.collection = f.collection and r.object = f.object and r.playbook = f.playbook and r.is_blocked
            and r.created_at > now() - make_interval(mins => ${REPORTED_MINUTES}))
      order by f.playbook, f.collection, f.object, f.place
      on conflict do nothing
    )
    select id from made`.execute(db)
  return rows.map(({ id }) => id)
}
