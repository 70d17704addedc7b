import { sql } from 'kysely'
import { itemPrefix } from './bulk-errors.ts'
import type { Context, Item } from './context.ts'
import type { Resource } from './definition.ts'
import { badRequest } from './errors.ts'
import type { Id } from './reference.ts'
import { isAmong } from './select.ts'

/** The error for a stored secret that is not kept. */
export const GIVE_AGAIN = 'must be given again, because it would go to another server'

/**
 * Refuses to keep a stored secret if the address that it was given for changes to another server: the secret would be
 * sent there. Sending the secret again, or setting it to null, is allowed.
 */
export async function refuseMovedSecrets(
  ctx: Context,
  resource: Resource,
  items: readonly (Item & { id: Id })[],
): Promise<void> {
  for (const [secret, { props }] of Object.entries(resource.fields)) {
    const { boundTo: address } = props
    if (address === undefined) continue
    const moving = items.filter((item) => item[address] !== undefined && item[secret] === undefined)
    if (moving.length === 0) continue
    const ids = moving.map(({ id }) => id)
    const { rows } = await sql<{ id: Id; address: unknown }>`
      select t.id, t.${sql.ref(address)} as address
      from ${sql.table(resource.table)} as t
      where ${isAmong(resource.collection, ids)} and t.${sql.ref(secret)} is not null`.execute(ctx.db)
    const stored = new Map(rows.map((row) => [row.id, originOf(row.address)]))
    const faults = items.flatMap((item, i) => {
      const isMoved = moving.includes(item) && stored.has(item.id) && stored.get(item.id) !== originOf(item[address])
      return isMoved ? [`${itemPrefix(items, i)}${secret}: ${GIVE_AGAIN}`] : []
    })
    if (faults.length > 0) throw badRequest(faults)
  }
}

/** The server behind an address: protocol, host and port. */
export const originOf = (address: unknown): string | undefined =>
  typeof address === 'string' ? URL.parse(address)?.origin : undefined
