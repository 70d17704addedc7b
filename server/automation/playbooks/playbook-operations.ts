import { sql } from 'kysely'
import { keepOwnTasks, removeOwnTasks } from '../../background/owned-tasks.ts'
import { itemPrefix } from '../../engine/bulk-errors.ts'
import type { AnyRow, Context, Item } from '../../engine/context.ts'
import type { Operations, Resource } from '../../engine/definition.ts'
import { badRequest, missing, notFound } from '../../engine/errors.ts'
import { fetchRows } from '../../engine/fetch.ts'
import { mergeDocuments } from '../../engine/merge.ts'
import type { Id } from '../../engine/reference.ts'
import { standard } from '../../engine/standard.ts'
import { replace } from '../../engine/write.ts'
import { PLAYBOOKS } from './playbook-task.ts'
import { findReferences, keyOf, mapReferences, type Reference } from './references.ts'
import { lackingOf, neededPermissions, type Saved, savedFaults } from './saved-faults.ts'
import { kindOf, schemaOf } from './step-kinds.ts'
import { separateSecrets } from './step-secrets.ts'
import type { StoredStep } from './stored-step.ts'

/**
 * The standard operations; in addition, references are checked and stored as ids, the user who saves a playbook becomes its owner, what
 * changed gets a new version, its task is kept up to date, and a pause ends.
 */
export const playbookOperations: Operations = {
  ...standard,
  create: async (ctx, resource, item: Item) => {
    const [ready = item] = withSecretsApart(ctx, await withReferences(ctx, [item]), [])
    const { id } = await standard.create(ctx, resource, ready)
    const [row] = await completed(ctx, resource, [id])
    return row as AnyRow
  },
  upsert: async (ctx, resource, items: Item[]) => {
    const secrets = await storedSecrets(ctx, items)
    const ready = withSecretsApart(ctx, await withReferences(ctx, items), secrets)
    const { rows, created } = await standard.upsert(ctx, resource, ready)
    const ids = rows.map(({ id }) => id)
    return { rows: await completed(ctx, resource, ids), created }
  },
  update: async (ctx, resource, id, patch: Item) => {
    const { rows } = await sql<AnyRow>`
      select id, trigger, steps, step_secrets from playbooks where id = ${id} for update`.execute(ctx.db)
    const [stored] = rows
    if (!stored) throw notFound(id)
    const merged = await withReferences(ctx, [mergeDocuments(resource, stored, patch)])
    const [ready = patch] = withSecretsApart(ctx, merged, [stored.step_secrets as string | null])
    await replace(ctx, resource, id, ready)
    const [row] = await completed(ctx, resource, [id])
    return row as AnyRow
  },
  remove: async (ctx, resource, ids) => {
    await removeOwnTasks(ctx, PLAYBOOKS, ids)
    await standard.remove(ctx, resource, ids)
  },
}

/** The items with the ids of what their steps refer to. Responds 400 with every reference that leads nowhere. */
export async function withReferences<T extends Item>(ctx: Context, items: readonly T[]): Promise<T[]> {
  const references = items.flatMap((item, i) => referencesOf(item, itemPrefix(items, i)))
  if (references.length === 0) return [...items]
  const { ids, faults } = await findReferences(ctx, references)
  if (faults.length > 0) throw badRequest(faults)
  return items.map((item) => ({
    ...item,
    ...(item.steps !== undefined && {
      steps: stepsOf(item).map((step) => mapInStep(step, (given, to) => ids.get(keyOf({ to, given })) ?? given)),
    }),
  }))
}

/** The items with the secrets of their steps sealed next to these. Responds 400 if a stored secret would go to another server. */
function withSecretsApart(ctx: Context, items: readonly Item[], stored: readonly (string | null)[]): Item[] {
  const faults: string[] = []
  const ready = items.map((item, i) => {
    if (item.steps === undefined) return item
    const { steps, sealed, faults: own } = separateSecrets(ctx.vault, stepsOf(item), stored[i] ?? null)
    faults.push(...own.map((fault) => `${itemPrefix(items, i)}${fault}`))
    return { ...item, steps, step_secrets: sealed }
  })
  if (faults.length > 0) throw badRequest(faults)
  return ready
}

/** The sealed secrets of the stored playbooks with the names of these. */
async function storedSecrets({ db }: Context, items: readonly Item[]): Promise<(string | null)[]> {
  const { rows } = await sql<{ name: string; step_secrets: string | null }>`
    select name, step_secrets from playbooks where name = any(${items.map(({ name }) => name)}::text[])`.execute(db)
  return items.map(({ name }) => rows.find((row) => row.name === name)?.step_secrets ?? null)
}

function referencesOf(item: Item, prefix: string): Reference[] {
  const found: Reference[] = []
  for (const [i, step] of stepsOf(item).entries()) {
    mapInStep(step, (given, to, path) => {
      if (given !== null && given !== undefined)
        found.push({ to, given, path: `${prefix}steps[${i}]${path.map(pathPart).join('')}` })
      return given
    })
  }
  return found
}

const stepsOf = ({ steps }: Item): readonly StoredStep[] => (steps ?? []) as readonly StoredStep[]

const pathPart = (part: PropertyKey): string => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)

function mapInStep(step: StoredStep, run: Parameters<typeof mapReferences>[2]): unknown {
  const kind = kindOf(step.kind)
  return kind ? mapReferences(schemaOf(kind), step, run) : step
}

type Written = Saved & { readonly id: number; readonly is_active: boolean }

/** Checks written playbooks and completes what belongs to them. */
async function completed(ctx: Context, resource: Resource, ids: readonly Id[]): Promise<AnyRow[]> {
  const { rows } = await sql<Written>`
    select t.id, t.is_active, t.trigger, t.steps
    from unnest(${ids}::integer[]) with ordinality as i(id, place) join playbooks as t on t.id = i.id
    order by i.place`.execute(ctx.db)
  refuseFaults(ctx, rows)
  await keepVersions(ctx, ids)
  await sql`
    update playbooks
    set owner = ${ctx.caller.id}, problem = null, failures = 0, paused_at = null, paused_reason = null, is_pause_told = true
    where id = any(${ids}::integer[])`.execute(ctx.db)
  await stopRunsOfInactive(ctx, ids)
  const { rows: scheduled } = await sql<{ id: number }>`
    select id from playbooks
    where id = any(${ids}::integer[]) and (task is not null or execution_schedule is not null)`.execute(ctx.db)
  await keepOwnTasks(
    ctx.db,
    PLAYBOOKS,
    scheduled.map(({ id }) => id),
  )
  return fetchRows(ctx, resource, ids)
}

function refuseFaults({ caller }: Context, rows: readonly Written[]): void {
  const faults = savedFaults(rows)
  if (faults.length > 0) throw badRequest(faults)
  const lacking = lackingOf(caller, [...new Set(rows.flatMap(neededPermissions))])
  if (lacking.length > 0) throw missing(lacking)
}

/** Stores what runs execute, under a new version if it changed. */
async function keepVersions({ db }: Context, ids: readonly Id[]): Promise<void> {
  await sql`
    update playbooks as t set version = t.version + 1
    from playbook_versions as v
    where t.id = any(${ids}::integer[]) and v.playbook = t.id and v.version = t.version
      and (v.trigger, v.steps) is distinct from (t.trigger, t.steps)`.execute(db)
  await sql`
    insert into playbook_versions (playbook, version, trigger, steps)
    select id, version, trigger, steps from playbooks where id = any(${ids}::integer[])
    on conflict do nothing`.execute(db)
}

/** A playbook that was switched off goes no further, except where a user started it by hand. */
async function stopRunsOfInactive({ db }: Context, ids: readonly Id[]): Promise<void> {
  await sql`
    update playbook_runs as r
    set state = 'REVOKED', reason = 'The playbook was deactivated.', ended_at = now(), claim = null, claimed_until = null
    from playbooks as t
    where t.id = any(${ids}::integer[]) and not t.is_active and r.playbook = t.id and r.ended_at is null and r.cause <> 'manual'`.execute(
    db,
  )
}
