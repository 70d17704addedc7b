import { createSocket } from 'node:dgram'
import { once } from 'node:events'

const TYPES = { A: 1, NS: 2, CNAME: 5, PTR: 12, MX: 15, TXT: 16, AAAA: 28 } as const
export type DnsType = keyof typeof TYPES

const OUTCOMES = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const

/** What a server answers: records, an outcome without records, any bytes, or nothing at all. */
export type DnsReply = readonly string[] | keyof typeof OUTCOMES | Buffer | 'SILENCE'

/** A name server on this machine. It knows what `answers` says, as `name TYPE`; all other names do not exist. */
export async function startDnsServer() {
  const socket = createSocket('udp4')
  const replies = new Map<string, DnsReply>()
  const asked: string[] = []
  socket.on('message', (query, { address, port }) => {
    const { name, type, end } = questionIn(query)
    asked.push(`${name} ${type}`)
    const reply = replies.get(`${name} ${type}`) ?? (isKnown(replies, name) ? 'NOERROR' : 'NXDOMAIN')
    if (reply === 'SILENCE') return
    const message = Buffer.isBuffer(reply)
      ? Buffer.concat([query.subarray(0, 2), reply])
      : answerTo(query, end, type, reply)
    socket.send(message, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    server: `127.0.0.1:${socket.address().port}`,
    asked,
    answers: (question: string, reply: DnsReply) => void replies.set(question, reply),
    stop: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

const isKnown = (replies: ReadonlyMap<string, DnsReply>, name: string): boolean =>
  [...replies.keys()].some((question) => question.startsWith(`${name} `))

function questionIn(query: Buffer): { name: string; type: DnsType; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const number = query.readUInt16BE(at + 1)
  const type = (Object.keys(TYPES) as DnsType[]).find((name) => TYPES[name] === number) ?? 'A'
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 }
}

/** The message that answers a query with records. */
export function answerTo(
  query: Buffer,
  end: number,
  type: DnsType,
  reply: readonly string[] | keyof typeof OUTCOMES,
): Buffer {
  const records = typeof reply === 'string' ? [] : reply
  const head = Buffer.from(query.subarray(0, 12))
  head.writeUInt16BE(0x8180 | (typeof reply === 'string' ? OUTCOMES[reply] : 0), 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, query.subarray(12, end), ...records.map((record) => recordOf(type, record))])
}

function recordOf(type: DnsType, record: string): Buffer {
  const data = dataOf(type, record)
  const head = Buffer.alloc(12)
  // The name of the question.
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(TYPES[type], 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(60, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function dataOf(type: DnsType, record: string): Buffer {
  if (type === 'A') return Buffer.from(record.split('.').map(Number))
  if (type === 'AAAA')
    return Buffer.from(
      record.split(':').flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]),
    )
  if (type === 'TXT') return Buffer.concat([Buffer.from([record.length]), Buffer.from(record)])
  if (type !== 'MX') return nameOf(record)
  const [priority = '0', exchange = ''] = record.split(' ')
  return Buffer.concat([Buffer.from([0, Number(priority)]), nameOf(exchange)])
}

const nameOf = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ])
