import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { startFollowing, stopFollowing } from '../../background/followers/claims.ts'
import type { Collection } from '../../collections.ts'
import { itemPrefix } from '../../engine/bulk-errors.ts'
import type { AnyRow, Context, Item } from '../../engine/context.ts'
import { badRequest, missing, retry } from '../../engine/errors.ts'
import { standard } from '../../engine/standard.ts'
import { permissionsFor, SEARCHED } from '../streams/streamed.ts'

/** The name of the follower that delivers webhooks; each webhook has its own position in the change log. */
export const WEBHOOKS = 'webhooks'

const makeSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`

/** The standard operations; in addition, secrets are generated and shown once, and deliveries start with changes from then on. */
export const webhookOperations: typeof standard = {
  ...standard,
  create: async (ctx, resource, item) => {
    const made = item.secret ? null : makeSecret()
    const row = await standard.create(ctx, resource, { ...item, secret: made ?? item.secret })
    await completeWrite(ctx, [item], [row], new Set([row.id]))
    return { ...row, new_secret: made }
  },
  upsert: async (ctx, resource, items) => {
    const { rows: known } = await sql<{ name: string }>`
      select name from webhooks where name = any(${items.map(({ name }) => name)}::text[])`.execute(ctx.db)
    const names = new Set<unknown>(known.map(({ name }) => name))
    const made = items.map(({ name, secret }) =>
      secret === null || (!secret && !names.has(name)) ? makeSecret() : null,
    )
    const sent = items.map((item, i) => ({ ...item, secret: made[i] ?? item.secret }))
    const { rows, created } = await standard.upsert(ctx, resource, sent)
    const fresh = rows.filter(({ name }) => !names.has(name))
    // Another request created one of them meanwhile and has shown its secret, so the whole request must run again.
    if (fresh.length !== created) throw retry('A webhook appeared.')
    await completeWrite(ctx, items, rows, new Set(fresh.map(({ id }) => id)))
    return { rows: rows.map((row, i) => ({ ...row, new_secret: made[i] ?? null })), created }
  },
  update: async (ctx, resource, id, patch) => {
    const made = patch.secret === null ? makeSecret() : null
    const row = await standard.update(ctx, resource, id, { ...patch, ...(made && { secret: made }) })
    await completeWrite(ctx, [patch], [row], new Set())
    return { ...(await standard.get(ctx, resource, id)), new_secret: made }
  },
  remove: async (ctx, resource, ids) => {
    await standard.remove(ctx, resource, ids)
    await stopFollowing(ctx.db, WEBHOOKS, ids)
  },
}

/** Checks written webhooks, sets their base URL, and lifts suspensions. */
async function completeWrite(
  ctx: Context,
  items: readonly Item[],
  rows: readonly AnyRow[],
  fresh: ReadonlySet<unknown>,
): Promise<void> {
  refuseRows(ctx, rows)
  // A corrected webhook is tried again immediately.
  const isLifted = ({ is_active, url, secret }: Item) => is_active === true || url !== undefined || secret !== undefined
  const ids = (isOne: (row: AnyRow, item: Item) => boolean) =>
    rows.flatMap((row, i) => (isOne(row, items[i] ?? {}) ? [row.id] : []))
  await startFollowing(
    ctx.db,
    WEBHOOKS,
    ids(({ id }) => fresh.has(id)),
  )
  const lifted = ids((_, item) => isLifted(item))
  await sql`
    with lifted as (
      update webhooks
      set base_url = ${ctx.baseUrl}, failing_since = null, suspended_at = null, suspended_reason = null
      where id = any(${lifted}::integer[])
      returning id
    )
    update followers set failures = 0, next_attempt_at = now(), last_error = null, failed_at = null
    where name = ${WEBHOOKS} and owner in (select id from lifted)`.execute(ctx.db)
}

function refuseRows(ctx: Context, rows: readonly AnyRow[]): void {
  const collectionsOf = (row: AnyRow) => row.collections as Collection[]
  const faults = rows.flatMap((row, i) => {
    const isSearchable = collectionsOf(row).length === 1 && SEARCHED.includes(collectionsOf(row)[0] ?? '')
    const where = itemPrefix(rows, i)
    return row.query === null || isSearchable
      ? []
      : [`${where}query: needs exactly one of the collections ${SEARCHED.join(', ')}`]
  })
  if (faults.length > 0) throw badRequest(faults)
  const own = rows.filter(({ created_by }) => created_by === ctx.caller.id)
  const lacking = own
    .flatMap((row) => permissionsFor(ctx, collectionsOf(row)))
    .filter((permission) => !ctx.caller.permissions.has(permission))
  if (lacking.length > 0) throw missing(lacking)
}
