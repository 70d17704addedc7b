import { ipv4, ipv6, parseNetwork } from '../../server/domain/observables/ip.ts'

type RecordSize = 24 | 28 | 32
type Node = [left: Child, right: Child]
/** Another node, the number of a record, or nothing. */
type Child = Node | number | undefined

/** Writes a database in the format of MaxMind with the records of networks; the later of two networks wins. */
export function mmdbOf(
  networks: Readonly<Record<string, object>>,
  { bits = 28, version = 6, type = 'Test' }: { bits?: RecordSize; version?: 4 | 6; type?: string } = {},
): Buffer {
  const root: Node = [undefined, undefined]
  const records = Object.values(networks).map(encode)
  for (const [i, network] of Object.keys(networks).entries()) {
    const family = network.includes(':') ? ipv6 : ipv4
    const parsed = parseNetwork(family, network)
    if (!parsed) throw new Error(`${network} is no network.`)
    const zeros = family === ipv4 && version === 6 ? '0'.repeat(96) : ''
    const path = (zeros + parsed.first.toString(2).padStart(family.bits, '0')).slice(0, zeros.length + parsed.prefix)
    put(root, path, i)
  }
  const nodes: Node[] = []
  collect(root, nodes)
  const starts = records.map((_, i) => Buffer.concat(records.slice(0, i)).length)
  const numberOf = (child: Child): number => {
    if (child === undefined) return nodes.length
    return typeof child === 'number' ? nodes.length + 16 + (starts[child] ?? 0) : nodes.indexOf(child)
  }
  const tree = nodes.map(([left, right]) => pair(numberOf(left), numberOf(right), bits))
  const metadata = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_767_225_600,
    database_type: type,
    description: { en: 'For tests' },
    ip_version: version,
    languages: ['en'],
    node_count: nodes.length,
    record_size: bits,
  }
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
  return Buffer.concat([...tree, Buffer.alloc(16), ...records, marker, encode(metadata)])
}

function put(root: Node, path: string, record: number): void {
  let node = root
  for (const [depth, digit] of [...path].entries()) {
    const side = digit === '1' ? 1 : 0
    if (depth === path.length - 1) {
      node[side] = record
      return
    }
    const child = node[side]
    // A network within another one: the rest of the other one keeps its record.
    const next: Node = Array.isArray(child) ? child : [child, child]
    node[side] = next
    node = next
  }
}

function collect(node: Node, nodes: Node[]): void {
  nodes.push(node)
  for (const child of node) if (Array.isArray(child)) collect(child, nodes)
}

function pair(left: number, right: number, bits: RecordSize): Buffer {
  const bytes = Buffer.alloc(bits / 4)
  if (bits === 32) {
    bytes.writeUInt32BE(left)
    bytes.writeUInt32BE(right, 4)
    return bytes
  }
  bytes.writeUIntBE(left % 2 ** 24, 0, 3)
  bytes.writeUIntBE(right % 2 ** 24, bits === 24 ? 3 : 4, 3)
  if (bits === 28) bytes.writeUInt8(Math.floor(left / 2 ** 24) * 16 + Math.floor(right / 2 ** 24), 3)
  return bytes
}

function encode(value: unknown): Buffer {
  if (typeof value === 'string') return headed(2, Buffer.from(value))
  if (typeof value === 'boolean') return control(14, value ? 1 : 0)
  if (typeof value === 'number') return Number.isInteger(value) ? wholeNumber(value) : double(value)
  if (Array.isArray(value)) return Buffer.concat([control(11, value.length), ...value.map(encode)])
  const entries = Object.entries(value as object)
  return Buffer.concat([control(7, entries.length), ...entries.flatMap(([key, inner]) => [encode(key), encode(inner)])])
}

function wholeNumber(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return headed(6, bytes)
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return headed(3, bytes)
}

const headed = (type: number, content: Buffer): Buffer => Buffer.concat([control(type, content.length), content])

function control(type: number, size: number): Buffer {
  const short = size < 29 ? size : 29
  const first = type > 7 ? [short, type - 7] : [(type << 5) | short]
  return Buffer.from(size < 29 ? first : [...first, size - 29])
}
