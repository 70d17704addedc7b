import { sql } from 'kysely'
import type { Change } from '../../background/followers/change-log.ts'
import { defineFollower } from '../../background/followers/follower.ts'
import type { Context } from '../../engine/context.ts'
import { idType, resourceOf } from '../../engine/select.ts'
import type { Seeing } from '../../identity/access/sight.ts'
import { compareAll } from '../owned-queries/compare-all.ts'
import { type Compiled, compileOwned } from '../owned-queries/compile-owned.ts'
import { type ActivePlaybook, activePlaybooks, hasActivePlaybooks, lackOf, recordProblems } from './active-playbooks.ts'
import { type ChangedFields, type ChangedObject, changedFields, hasChanged, keyOfChanged } from './changed-fields.ts'
import { startMatches } from './matches.ts'
import { startRuns, type WantedRun } from './start-runs.ts'
import { OBJECT_COLLECTIONS, type Subject } from './step.ts'

/** An object that a change wrote, and how. */
interface Written extends ChangedObject {
  readonly kind: 'create' | 'update'
  /** How many automations led to it. */
  readonly depth: number
  /** The links that were added or removed; undefined if its own fields changed. */
  readonly links: readonly string[] | undefined
}

/** An object that matches the trigger of a playbook. */
interface Match {
  readonly playbook: number
  readonly object: string
}

/** A change that may start a run of a playbook. */
interface Candidate {
  readonly playbook: ActivePlaybook
  readonly written: Written
}

/** Starts the runs of playbooks on what was written, in a number of statements that depends on neither. */
export const followChanges = defineFollower({
  name: 'playbooks',
  collections: [...OBJECT_COLLECTIONS],
  isIdle: async ({ db }) => !(await hasActivePlaybooks(db)),
  handle: async (ctx, changes) => {
    const playbooks = await activePlaybooks(ctx.db)
    const written = changes.flatMap(writtenBy)
    if (playbooks.length === 0 || written.length === 0) return
    const { compiled, problems, owners } = await compileOwned(ctx, playbooks, {
      noun: 'playbook',
      lackOf,
      start: (owned, { trigger }, fields) => startMatches(owned, trigger, fields),
    })
    const candidates: Candidate[] = []
    const found = new Map(problems)
    for (const collection of OBJECT_COLLECTIONS) {
      const own = playbooks.filter(({ trigger }) => trigger.collection === collection)
      const objects = written.filter((each) => each.collection === collection)
      const ready = compiled.filter(({ id }) => own.some((playbook) => playbook.id === id))
      if (ready.length === 0 || objects.length === 0) continue
      const compared = await compareAll(ctx, ready, 'playbook', (some) => compare(ctx, collection, some, objects))
      for (const [id, problem] of compared.problems) found.set(id, problem)
      candidates.push(...candidatesOf(own, objects, compared.found))
    }
    await recordProblems(
      ctx.db,
      playbooks.map(({ id }) => id),
      found,
    )
    await startRuns(ctx.db, await wantedOf(ctx, candidates, owners))
  },
})

function writtenBy({ id, ids, resource, kind, cause, links }: Change): Written[] {
  if (kind === 'delete') return []
  return ids.map((object) => ({
    change: id,
    object,
    collection: resource as Subject['collection'],
    kind: kind === 'create' ? 'create' : 'update',
    depth: cause?.depth ?? 0,
    links: links ? Object.keys(links[object] ?? {}) : undefined,
  }))
}

async function compare(
  ctx: Context,
  collection: Subject['collection'],
  playbooks: readonly Compiled[],
  written: readonly Written[],
): Promise<readonly Match[]> {
  const { table } = resourceOf(ctx, collection)
  const branches = playbooks.map(
    ({ id, condition }) => sql`
      select ${id}::integer as playbook, t.id::text as object
      from ${sql.table(table)} as t
      where t.id in (select w.id from written as w) and ${condition}`,
  )
  const ids = [...new Set(written.map(({ object }) => object))]
  const { rows } = await sql<Match>`
    with written as materialized (select unnest(${ids}::${idType(collection)}[]) as id)
    ${sql.join(branches, sql` union all `)}`.execute(ctx.db)
  return rows
}

function candidatesOf(
  playbooks: readonly ActivePlaybook[],
  written: readonly Written[],
  matches: readonly Match[],
): Candidate[] {
  const byObject = Map.groupBy(matches, ({ object }) => object)
  const byId = new Map(playbooks.map((playbook) => [playbook.id, playbook]))
  return written.flatMap((each) =>
    (byObject.get(each.object) ?? []).flatMap(({ playbook: id }) => {
      const playbook = byId.get(id)
      return playbook?.trigger.kinds.includes(each.kind) ? [{ playbook, written: each }] : []
    }),
  )
}

/** Whether it has to be found out what a change did. Of a new object, all fields have changed. */
const needsFields = ({ playbook, written }: Candidate): boolean =>
  playbook.trigger.changed_fields.length > 0 && written.kind === 'update' && written.links === undefined

async function wantedOf(
  ctx: Context,
  candidates: readonly Candidate[],
  owners: ReadonlyMap<number, Seeing>,
): Promise<WantedRun[]> {
  const unknown = new Map(
    candidates.filter(needsFields).map(({ written }) => [keyOfChanged(written), written] as const),
  )
  const changed = await changedFields(ctx, [...unknown.values()])
  return candidates
    .filter((each) => isWanted(each, changed.get(keyOfChanged(each.written)), owners.get(each.playbook.owner ?? 0)))
    .map(({ playbook: { id, version, trigger }, written: { collection, object, change, depth } }) => ({
      playbook: id,
      version,
      collection,
      object,
      occurrence: trigger.repeat === 'once' ? '' : String(change),
      cause: 'change' as const,
      depth: depth + 1,
    }))
}

function isWanted(candidate: Candidate, changed: ChangedFields | undefined, owner: Seeing | undefined): boolean {
  const { trigger } = candidate.playbook
  const { kind, links } = candidate.written
  if (trigger.changed_fields.length === 0 || kind === 'create') return true
  if (links) return hasChanged(trigger.changed_fields, [...links, ...links.map((name) => `meta.${name}`)])
  if (!changed?.names) return true
  // Who did not see the version before sees all of it change.
  if (changed.keyBefore !== null && !owner?.sight.keys.includes(changed.keyBefore)) return true
  return hasChanged(trigger.changed_fields, changed.names)
}
