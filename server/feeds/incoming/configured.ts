import { faultsOf, messageOf } from '../../engine/body.ts'
import { badRequest } from '../../engine/errors.ts'
import type { Context, Item } from '../../engine/resource.ts'
import { partConfiguration, type StoredConfiguration } from '../transport-secrets.ts'
import { INCOMING_TRANSPORTS, type IncomingTransport, transportType } from '../transports.ts'

/** What is stored of how a feed gets its content. */
export interface StoredTransport extends StoredConfiguration {
  readonly transport_type: IncomingTransport
  readonly update_strategy?: string | undefined
}

/** What is wrong with the configuration of a transport, as it was sent; one that is absent may be stored already. */
export function configurationFaults(sent: Item): { field: string; fault: string }[] {
  const type = transportType(INCOMING_TRANSPORTS).safeParse(sent.transport_type)
  const { transport_configuration: given } = sent
  if (!type.success || typeof given !== 'object' || given === null || Array.isArray(given)) return []
  const parsed = INCOMING_TRANSPORTS[type.data].configuration.safeParse(given, { error: messageOf })
  return (parsed.error ? faultsOf(parsed.error, ['transport_configuration']) : []).map((text) => {
    const end = text.indexOf(': ')
    return { field: text.slice(0, end), fault: text.slice(end + 2) }
  })
}

/** A 400 where the transport of a feed cannot follow its strategy. */
export function requireStrategy(item: Item, stored: StoredTransport | undefined, at: readonly number[] = []): void {
  const type = (item.transport_type ?? stored?.transport_type) as IncomingTransport
  const strategy = String(item.update_strategy ?? stored?.update_strategy ?? 'APPEND')
  const allowed: readonly string[] = INCOMING_TRANSPORTS[type].strategies
  if (allowed.includes(strategy)) return
  const where = at.map((position) => `[${position}].`).join('')
  throw badRequest([`${where}update_strategy: with this transport it must be ${allowed.join(' or ')}, not ${strategy}`])
}

/**
 * A feed as it is written: its configuration checked, with all of its defaults, and parted from its secrets. What a request does
 * not say of its transport is as it is stored.
 */
export function configured(
  { vault }: Pick<Context, 'vault'>,
  item: Item,
  stored: StoredTransport | undefined,
  at: number[] = [],
): Item {
  requireStrategy(item, stored, at)
  if (item.transport_type === undefined && item.transport_configuration === undefined) return item
  const type = (item.transport_type ?? stored?.transport_type) as IncomingTransport
  const sent = (item.transport_configuration ?? stored?.transport_configuration ?? {}) as Item
  return { ...item, ...partConfiguration(vault, INCOMING_TRANSPORTS[type], sent, stored, at) }
}
