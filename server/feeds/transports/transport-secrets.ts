import { faultsOf, messageOf } from '../../engine/body.ts'
import { GIVE_AGAIN, originOf } from '../../engine/bound-secrets.ts'
import type { Item, Vault } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import { PASS_THROUGH } from '../../engine/field-class.ts'
import { SECRETS } from './connection.ts'
import type { Transport } from './transport.ts'

/** A configuration as it is stored: without its secrets, which are sealed separately. */
export interface StoredConfiguration {
  readonly transport_configuration: Item
  readonly transport_secrets: string | null
}

/**
 * Validates a configuration that was sent, and separates its secrets. The pass-through token stands for the stored secret, but is
 * refused if the change would let another server or proxy read it. `at` is the path of the configuration in the body.
 */
export function separateSecrets(
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
  const hasNewReader = known !== undefined && readersOf(configuration).some((reader) => !known.has(reader))
  const secrets: Record<string, string> = {}
  const faults: string[] = []
  for (const name of SECRETS) {
    const given = configuration[name]
    if (typeof given !== 'string' || given === '') continue
    const secret = given === PASS_THROUGH ? before[name] : given
    if (given === PASS_THROUGH && secret !== undefined && hasNewReader) {
      faults.push(`${place.join('.')}.${name}: ${GIVE_AGAIN}`)
    }
    configuration[name] = secret === undefined ? null : PASS_THROUGH
    if (secret !== undefined) secrets[name] = secret
  }
  if (faults.length > 0) throw badRequest(faults)
  const hasSecrets = Object.keys(secrets).length > 0
  return {
    transport_configuration: configuration,
    transport_secrets: hasSecrets ? vault.seal(JSON.stringify(secrets)) : null,
  }
}

/** A configuration with its secrets, for calling other servers. */
export const configurationWithSecrets = (vault: Vault, transport: Transport, stored: StoredConfiguration): Item => ({
  ...transport.configuration.parse({ ...stored.transport_configuration, ...secretsOf(vault, stored) }),
})

const secretsOf = (vault: Vault, stored: StoredConfiguration | undefined): Readonly<Record<string, string>> =>
  stored?.transport_secrets ? JSON.parse(vault.open(stored.transport_secrets)) : {}

/** Who can read the secrets: the server, its proxy, and anyone who can impersonate the server. */
const readersOf = ({ url, proxy, verify_ssl, ca_certificate }: Item): string[] => [
  `server ${originOf(url)}`,
  ...(proxy ? [`proxy ${originOf(proxy)}`] : []),
  ...(ca_certificate ? [`certified by ${ca_certificate}`] : []),
  ...(verify_ssl === false ? ['anyone on the way'] : []),
]
