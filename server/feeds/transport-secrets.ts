import { faultsOf, messageOf } from '../engine/body.ts'
import { GIVE_AGAIN, originOf } from '../engine/bound-secrets.ts'
import { badRequest } from '../engine/errors.ts'
import { PASS_THROUGH } from '../engine/field.ts'
import type { Item, Vault } from '../engine/resource.ts'
import { SECRETS } from './transports/connection.ts'
import type { Transport } from './transports/transport.ts'

/** A configuration as its row has it: fit to be shown, with its secrets apart. */
export interface StoredConfiguration {
  readonly transport_configuration: Item
  readonly transport_secrets: string | null
}

/**
 * Reads a configuration as it was sent, and separates its secrets. The pass-through token stands for the stored secret, unless
 * others would get to read it than when it was given. `at` is where the configuration stands in the body.
 */
export function partConfiguration(
  vault: Vault,
  transport: Transport,
  sent: Item,
  stored: StoredConfiguration | undefined,
  at: (string | number)[] = [],
): StoredConfiguration {
  const place = [...at, 'transport_configuration']
  const parsed = transport.configuration.safeParse(sent, { error: messageOf })
  if (!parsed.success) throw badRequest(faultsOf(parsed.error, place))
  const configuration: Item = { ...parsed.data }
  const before = secretsOf(vault, stored)
  const known = stored && new Set(readersOf(stored.transport_configuration))
  const isElsewhere = known !== undefined && readersOf(configuration).some((reader) => !known.has(reader))
  const secrets: Record<string, string> = {}
  const faults: string[] = []
  for (const name of SECRETS) {
    const given = configuration[name]
    if (typeof given !== 'string' || given === '') continue
    const secret = given === PASS_THROUGH ? before[name] : given
    if (given === PASS_THROUGH && secret !== undefined && isElsewhere) {
      faults.push(`${place.join('.')}.${name}: ${GIVE_AGAIN}`)
    }
    configuration[name] = secret === undefined ? null : PASS_THROUGH
    if (secret !== undefined) secrets[name] = secret
  }
  if (faults.length > 0) throw badRequest(faults)
  const isAny = Object.keys(secrets).length > 0
  return {
    transport_configuration: configuration,
    transport_secrets: isAny ? vault.seal(JSON.stringify(secrets)) : null,
  }
}

/** A configuration with its secrets, for whoever calls others with it. */
export const wholeConfiguration = (vault: Vault, transport: Transport, stored: StoredConfiguration): Item => ({
  ...transport.configuration.parse({ ...stored.transport_configuration, ...secretsOf(vault, stored) }),
})

const secretsOf = (vault: Vault, stored: StoredConfiguration | undefined): Readonly<Record<string, string>> =>
  stored?.transport_secrets ? JSON.parse(vault.open(stored.transport_secrets)) : {}

/** Who gets to read the secrets: the server, the proxy before it, and who can pass for the server. */
const readersOf = ({ url, proxy, verify_ssl, ca_certificate }: Item): string[] => [
  `server ${originOf(url)}`,
  ...(proxy ? [`proxy ${originOf(proxy)}`] : []),
  ...(ca_certificate ? [`certified by ${ca_certificate}`] : []),
  ...(verify_ssl === false ? ['anyone on the way'] : []),
]
