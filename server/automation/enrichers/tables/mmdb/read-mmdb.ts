import { setImmediate } from 'node:timers/promises'
import { ipv4, ipv6 } from '../../../../domain/observables/ip.ts'
import { isRecord } from '../../../../domain/record.ts'
import { decodeAt, MmdbError } from './decode.ts'

export { MmdbError } from './decode.ts'

const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
const MAX_METADATA_BYTES = 128 * 1024
const SEPARATOR_BYTES = 16
/** How many different records are decoded when a database is checked. */
const MAX_RECORDS_CHECKED = 10_000
const NODES_PER_TURN = 20_000

/** The record of an address, and the network that it is about. */
export interface MmdbRecord {
  readonly network: string
  readonly record: Readonly<Record<string, unknown>>
}

/** A database of addresses in the format of MaxMind. */
export interface Mmdb {
  readonly type: string
  /** Throws an MmdbError if the file is damaged there. */
  find(address: string): MmdbRecord | undefined
  /** Reads the whole tree and a part of the records. Throws an MmdbError if one is damaged. */
  check(): Promise<void>
}

interface Layout {
  readonly bytes: Buffer
  readonly nodes: number
  readonly nodeBytes: number
  readonly version: 4 | 6
  readonly base: number
}

/** Opens a database without a copy. Throws an MmdbError if it is none. */
export function openMmdb(bytes: Buffer): Mmdb {
  const { layout, type } = layoutOf(bytes)
  const start = layout.version === 6 ? ipv4Start(layout) : 0
  return {
    type,
    find: (address) => find(layout, start, address),
    check: () => check(layout),
  }
}

function layoutOf(bytes: Buffer): { layout: Layout; type: string } {
  const from = Math.max(0, bytes.length - MAX_METADATA_BYTES)
  const marker = bytes.subarray(from).lastIndexOf(MARKER)
  if (marker < 0) throw new MmdbError('there is no metadata at its end')
  const begin = from + marker + MARKER.length
  const metadata = decodeAt(bytes, begin, begin)
  if (!isRecord(metadata)) throw new MmdbError('its metadata is no map')
  const { node_count: nodes, record_size: bits, ip_version: version, database_type: type } = metadata
  if (typeof nodes !== 'number' || nodes < 1 || !Number.isInteger(nodes)) throw new MmdbError('it has no nodes')
  if (bits !== 24 && bits !== 28 && bits !== 32) throw new MmdbError('its records have an unknown size')
  if (version !== 4 && version !== 6) throw new MmdbError('its version of IP is unknown')
  const nodeBytes = bits / 4
  const base = nodes * nodeBytes + SEPARATOR_BYTES
  if (base > from + marker) throw new MmdbError('its tree is larger than the file')
  // What follows the data section must not be read as a part of it.
  const layout: Layout = { bytes: bytes.subarray(0, from + marker), nodes, nodeBytes, version, base }
  return { layout, type: typeof type === 'string' ? type : '' }
}

function childOf({ bytes, nodeBytes }: Layout, node: number, isRight: boolean): number {
  const at = node * nodeBytes
  if (nodeBytes === 6) return bytes.readUIntBE(at + (isRight ? 3 : 0), 3)
  if (nodeBytes === 8) return bytes.readUInt32BE(at + (isRight ? 4 : 0))
  const middle = bytes.readUInt8(at + 3)
  return isRight
    ? (middle & 15) * 2 ** 24 + bytes.readUIntBE(at + 4, 3)
    : (middle >> 4) * 2 ** 24 + bytes.readUIntBE(at, 3)
}

/** IPv4 addresses are the last 32 bits below 96 zeros. */
function ipv4Start(layout: Layout): number {
  let node = 0
  for (let i = 0; i < 96 && node < layout.nodes; i++) node = childOf(layout, node, false)
  return node
}

function find(layout: Layout, start: number, address: string): MmdbRecord | undefined {
  const family = address.includes(':') ? ipv6 : ipv4
  const number = family.parse(address)
  if (number === undefined || (family === ipv6 && layout.version === 4)) return undefined
  let node = family === ipv4 ? start : 0
  let depth = 0
  while (node < layout.nodes && depth < family.bits) {
    node = childOf(layout, node, ((number >> BigInt(family.bits - 1 - depth)) & 1n) === 1n)
    depth++
  }
  if (node === layout.nodes) return undefined
  if (node < layout.nodes) throw new MmdbError('its tree is too deep')
  const hostBits = BigInt(family.bits - depth)
  const network = `${family.format((number >> hostBits) << hostBits)}/${depth}`
  return { network, record: recordAt(layout, node) }
}

function recordAt({ bytes, base, nodes }: Layout, value: number): MmdbRecord['record'] {
  const record = decodeAt(bytes, base, base + value - nodes - SEPARATOR_BYTES)
  if (!isRecord(record)) throw new MmdbError('a record is no map')
  return record
}

async function check(layout: Layout): Promise<void> {
  const { nodes, base, bytes } = layout
  const seen = new Set<number>()
  for (let node = 0; node < nodes; node++) {
    // Other requests are served in between.
    if (node % NODES_PER_TURN === NODES_PER_TURN - 1) await setImmediate()
    for (const isRight of [false, true]) {
      const value = childOf(layout, node, isRight)
      if (value <= nodes) continue
      if (value < nodes + SEPARATOR_BYTES || base + value - nodes - SEPARATOR_BYTES >= bytes.length)
        throw new MmdbError('its tree leads out of the file')
      if (seen.size >= MAX_RECORDS_CHECKED || seen.has(value)) continue
      seen.add(value)
      recordAt(layout, value)
    }
  }
}
