import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { OutboundError, type OutboundFault } from './outbound-error.ts'
import { notPublic, type Reach } from './reach.ts'

export const RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'PTR'] as const
export type RecordType = (typeof RECORD_TYPES)[number]

/** A question to name servers. */
export interface Question {
  readonly name: string
  readonly type: RecordType
  /** Addresses, each with an optional port; those of the system if there are none. */
  readonly servers: readonly string[]
}

/** The answer of name servers. Each record is one text, except MX, which has its priority in front: `10 mail.example`. */
export interface Resolved {
  /** `no-name`: the name does not exist. `failed`: the servers of its zone do not answer properly. */
  readonly outcome: 'records' | 'no-records' | 'no-name' | 'failed'
  readonly records: readonly string[]
}

const TRIES = 2
const DNS_PORT = 53

/** Resolves a name with name servers that may be called: public ones, and those that the operator allows. */
export async function resolveName(
  reach: Reach,
  { name, type, servers }: Question,
  limits: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<Resolved> {
  for (const server of servers) refuseServer(reach, server)
  limits.signal?.throwIfAborted()
  const resolver = new Resolver({
    timeout: Math.ceil(limits.timeoutMs / TRIES / Math.max(1, servers.length)),
    tries: TRIES,
  })
  if (servers.length > 0) resolver.setServers(servers)
  const late = AbortSignal.timeout(limits.timeoutMs)
  const signal = limits.signal ? AbortSignal.any([limits.signal, late]) : late
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const records = await ask(resolver, name, type)
    return { outcome: records.length > 0 ? 'records' : 'no-records', records }
  } catch (error) {
    limits.signal?.throwIfAborted()
    return outcomeOf((error as NodeJS.ErrnoException).code ?? '')
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Servers other than the system's follow the rule of all calls. Other ports than that of DNS are reached only on allowed networks. */
function refuseServer({ isOpen, isAllowed }: Reach, server: string): void {
  const { address, port } = readServer(server)
  if (address === '') throw new OutboundError(`${server} is not the address of a name server`, 'configuration')
  if (!(port === DNS_PORT ? isOpen(address) : isAllowed(address))) throw notPublic(address)
}

/** The parts of `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or `[2001:db8::53]:5353`; the address is empty if it is none. */
export function readServer(server: string): { address: string; port: number } {
  if (isIP(server) !== 0) return { address: server, port: DNS_PORT }
  const [, six, four, digits = ''] = /^(?:\[([\da-f:.]+)\]|([\d.]+)):(\d{1,5})$/i.exec(server) ?? []
  const address = six ?? four ?? ''
  const port = Number(digits)
  return isIP(address) !== 0 && port >= 1 && port <= 65_535 ? { address, port } : { address: '', port: 0 }
}

async function ask(resolver: Resolver, name: string, type: RecordType): Promise<string[]> {
  if (type === 'A') return resolver.resolve4(name)
  if (type === 'AAAA') return resolver.resolve6(name)
  if (type === 'CNAME') return resolver.resolveCname(name)
  if (type === 'NS') return resolver.resolveNs(name)
  if (type === 'PTR') return resolver.resolvePtr(name)
  if (type === 'TXT') return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
  return (await resolver.resolveMx(name)).map(({ priority, exchange }) => `${priority} ${exchange}`)
}

function outcomeOf(code: string): Resolved {
  if (code === 'ENOTFOUND') return { outcome: 'no-name', records: [] }
  if (code === 'ENODATA') return { outcome: 'no-records', records: [] }
  // The zone is broken, not the server that was asked.
  if (code === 'ESERVFAIL') return { outcome: 'failed', records: [] }
  const [kind, message] = FAULTS[code] ?? ['unreachable', 'the name servers do not answer']
  throw new OutboundError(`${message} (${code || 'no code'})`, kind)
}

const FAULTS: Readonly<Record<string, readonly [OutboundFault, string]>> = {
  ETIMEOUT: ['timeout', 'the name servers do not answer in time'],
  ECANCELLED: ['timeout', 'the name servers do not answer in time'],
  EREFUSED: ['authentication', 'the name servers refuse to answer'],
  EBADRESP: ['malformed', 'the answer of the name servers cannot be read'],
  EFORMERR: ['malformed', 'the name servers do not understand the question'],
  EBADNAME: ['malformed', 'the name cannot be asked for'],
  ENOTIMP: ['malformed', 'the name servers do not know the type of record'],
}
