import { LRUCache } from 'lru-cache'
import { isRecord } from '../../../../domain/record.ts'
import { isWebAddress } from '../../../../domain/web-address.ts'
import { listOf } from '../../../../formats/json/record.ts'
import { EnricherError, type LookUp } from '../../function.ts'
import { rangeOf } from '../../tables/address-ranges.ts'
import { faultOfStatus, jsonOf } from '../answers.ts'
import type { Query } from './query.ts'

/** The servers for names, networks or numbers, as IANA publishes them. */
interface Service {
  readonly keys: readonly string[]
  readonly servers: readonly string[]
}

const DAY_MS = 86_400_000
const MAX_FILES = 20

/** The files of IANA by address. They change every few days. */
const known = new LRUCache<string, readonly Service[]>({ max: MAX_FILES, ttl: DAY_MS })

/** The server that knows what is asked for; undefined if IANA lists none. A file that was read is used again for a day. */
export async function serverFor({ call }: LookUp, base: string, query: Query): Promise<string | undefined> {
  const url = `${base.replace(/\/$/, '')}/${query.file}.json`
  let services = known.get(url)
  if (!services) {
    services = await read(call, url)
    known.set(url, services)
  }
  const [server] = FINDERS[query.file](services, query.key)
  return server
}

async function read(call: LookUp['call'], url: string): Promise<readonly Service[]> {
  const answer = await call({ method: 'GET', url, headers: { accept: 'application/json' } })
  if (answer.status !== 200) throw faultOfStatus(answer)
  const parsed = jsonOf(answer.body)
  const services = isRecord(parsed) ? listOf(parsed.services).flatMap(serviceOf) : []
  if (services.length === 0) throw new EnricherError('unreadable', `The list of RDAP servers at ${url} cannot be read.`)
  return services
}

function serviceOf(service: unknown): Service[] {
  if (!Array.isArray(service)) return []
  const [keys, servers] = service.slice(-2).map(textsIn)
  const reachable = (servers ?? []).filter(isWebAddress)
  // Registries still list http next to https.
  const sorted = reachable.toSorted((a, b) => Number(b.startsWith('https:')) - Number(a.startsWith('https:')))
  return keys && sorted.length > 0 ? [{ keys, servers: sorted }] : []
}

const textsIn = (value: unknown): string[] => listOf(value).filter((item): item is string => typeof item === 'string')

type Find = (services: readonly Service[], key: string) => readonly string[]

const findAddress: Find = (services, key) => {
  const wanted = rangeOf(key)
  if (!wanted) return []
  const holding = services.flatMap(({ keys, servers }) =>
    keys.flatMap((network) => {
      const range = rangeOf(network)
      const holds = range?.family === wanted.family && range.first <= wanted.first && wanted.last <= range.last
      return range && holds ? [{ size: range.last - range.first, servers }] : []
    }),
  )
  return holding.sort((a, b) => (a.size < b.size ? -1 : 1))[0]?.servers ?? []
}

const FINDERS: Readonly<Record<Query['file'], Find>> = {
  dns: (services, key) => services.find(({ keys }) => keys.some((name) => name.toLowerCase() === key))?.servers ?? [],
  ipv4: findAddress,
  ipv6: findAddress,
  asn: (services, key) => {
    const number = Number(key)
    const isIn = (range: string) => {
      const [first = Number.NaN, last = first] = range.split('-').map(Number)
      return first <= number && number <= last
    }
    return services.find(({ keys }) => keys.some(isIn))?.servers ?? []
  },
}
