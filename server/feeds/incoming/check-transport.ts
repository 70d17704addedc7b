import type { z } from 'zod'
import { messageOf } from '../../engine/body.ts'
import type { Context, Item } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import { type StoredConfiguration, separateSecrets } from '../transports/transport-secrets.ts'
import { INCOMING_TRANSPORTS, type IncomingTransport, transportType } from '../transports/transports.ts'

/** The stored transport of a feed. */
export interface StoredTransport extends StoredConfiguration {
  readonly transport_type: IncomingTransport
  readonly update_strategy?: string | undefined
}

/** The validation errors of a transport configuration in a request; an absent one may be stored already. */
export function configurationErrors(given: unknown, { transport_type }: Item): readonly z.core.$ZodIssue[] {
  const type = transportType(INCOMING_TRANSPORTS).safeParse(transport_type)
  if (!type.success || typeof given !== 'object' || given === null || Array.isArray(given)) return []
  const { error } = INCOMING_TRANSPORTS[type.data].configuration.safeParse(given, { error: messageOf })
  return error?.issues ?? []
}

/** A 400 if the transport of a feed does not support its update strategy. */
function requireStrategy(item: Item, stored: StoredTransport | undefined, at: readonly number[] = []): void {
  const type = (item.transport_type ?? stored?.transport_type) as IncomingTransport
  const strategy = String(item.update_strategy ?? stored?.update_strategy ?? 'APPEND')
  const allowed: readonly string[] = INCOMING_TRANSPORTS[type].strategies
  if (allowed.includes(strategy)) return
  const where = at.map((position) => `[${position}].`).join('')
  throw badRequest([`${where}update_strategy: with this transport it must be ${allowed.join(' or ')}, not ${strategy}`])
}

/**
 * Returns a feed as it is stored: with its transport configuration validated, completed with defaults and separated from its secrets.
 * Whatever a request omits of the transport is taken from the stored feed.
 */
export function checkTransport(
  { vault }: Pick<Context, 'vault'>,
  item: Item,
  stored: StoredTransport | undefined,
  at: number[] = [],
): Item {
  requireStrategy(item, stored, at)
  if (item.transport_type === undefined && item.transport_configuration === undefined) return item
  const type = (item.transport_type ?? stored?.transport_type) as IncomingTransport
  const sent = (item.transport_configuration ?? stored?.transport_configuration ?? {}) as Item
  return { ...item, ...separateSecrets(vault, INCOMING_TRANSPORTS[type], sent, stored, at) }
}
