import { LRUCache } from 'lru-cache'
import { isRecord } from '../../../../domain/record.ts'
import { listOf } from '../../../../formats/json/record.ts'
import { EnricherError, type LookUp } from '../../function.ts'
import { faultOfStatus, jsonOf } from '../answers.ts'

/** What a server says about one of its modules. */
export interface MispModule {
  /** The attribute types that it takes. */
  readonly inputs: readonly string[]
  /** Whether it takes and returns attributes and objects, not only values. */
  readonly isStandard: boolean
}

const HOUR_MS = 3_600_000
const MAX_SERVERS = 20
const MAX_NAMES_TOLD = 30

/** The modules of servers, by their address. They change when the server is updated. */
const known = new LRUCache<string, ReadonlyMap<string, MispModule>>({ max: MAX_SERVERS, ttl: HOUR_MS })

/** Describes a module of a server. Throws `refused`, which suspends the enricher, if the server does not have it. */
export async function moduleOf({ call }: LookUp, url: string, name: string): Promise<MispModule> {
  const cached = known.get(url)?.get(name)
  if (cached) return cached
  const answer = await call({ method: 'GET', url: `${url.replace(/\/$/, '')}/modules` })
  if (answer.status !== 200) throw faultOfStatus(answer)
  const listed = jsonOf(answer.body)
  if (!Array.isArray(listed))
    throw new EnricherError(
      'unreadable',
      'The server does not list its modules: check that its address is one of misp-modules.',
    )
  const modules = new Map(listed.flatMap(readModule))
  const found = modules.get(name)
  if (!found) {
    const names = [...modules.keys()].sort().slice(0, MAX_NAMES_TOLD).join(', ')
    throw new EnricherError('refused', `The server has no expansion module '${name}'. It has ${names || 'none'}.`)
  }
  known.set(url, modules)
  return found
}

function readModule(module: unknown): [string, MispModule][] {
  if (!isRecord(module) || typeof module.name !== 'string') return []
  const kinds = isRecord(module.meta) ? listOf(module.meta['module-type']) : []
  if (!kinds.some((kind) => kind === 'expansion' || kind === 'hover')) return []
  const attributes = isRecord(module.mispattributes) ? module.mispattributes : {}
  const inputs = listOf(attributes.input).filter((type): type is string => typeof type === 'string')
  return [[module.name, { inputs, isStandard: attributes.format === 'misp_standard' }]]
}
