import { promisify } from 'node:util'
import { inflate, inflateRaw } from 'node:zlib'

/** A packet of OpenPGP (RFC 9580, section 4). Its body may have come in several parts. */
interface Packet {
  readonly tag: number
  readonly body: readonly Uint8Array[]
}

/** A signed message has its content and a few signatures. */
const MAX_PACKETS = 100
const MAX_PARTS_PER_PACKET = 1_000_000
const COMPRESSED_DATA = 8

/**
 * Decompresses a message if it is compressed, and limits its size and the number of its packets. Throws for a message that is
 * incomplete or exceeds a limit.
 *
 * The library limits only the size (`maxDecompressedMessageSize`). It spends 10 to 25 µs on each packet, even an empty one, without
 * letting the event loop turn: 32 MiB of marker packets would stop the process for minutes. As it decompresses a packet and reads the
 * packets inside in one step, counting them needs a decompression of our own.
 */
export async function unpack(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const packets = readPackets(bytes)
  const compressed = packets.find(({ tag }) => tag === COMPRESSED_DATA)
  if (!compressed) return bytes
  const unpacked = await decompress(Buffer.concat(compressed.body), maxBytes)
  if (readPackets(unpacked).some(({ tag }) => tag === COMPRESSED_DATA))
    throw new Error('A message is compressed twice.')
  return unpacked
}

async function decompress(body: Buffer, maxBytes: number): Promise<Uint8Array> {
  const [algorithm, data] = [body[0], body.subarray(1)]
  if (algorithm === 0) return data
  if (algorithm !== 1 && algorithm !== 2) throw new Error('The compression algorithm of a message is not supported.')
  const inflated = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(algorithm === 1 ? inflateRaw : inflate)
  return inflated(data, { maxOutputLength: maxBytes })
}

function readPackets(bytes: Uint8Array): Packet[] {
  const packets: Packet[] = []
  for (let at = 0; at < bytes.length; ) {
    if (packets.length === MAX_PACKETS) throw new Error('A message has too many packets.')
    const { packet, next } = readPacket(bytes, at)
    packets.push(packet)
    at = next
  }
  return packets
}

interface Read {
  readonly packet: Packet
  readonly next: number
}

function readPacket(bytes: Uint8Array, at: number): Read {
  const head = byteAt(bytes, at)
  if (head < 0x80) throw new Error('This is not a packet of OpenPGP.')
  return head & 0x40 ? readNew(bytes, head & 0x3f, at + 1) : readOld(bytes, head, at + 1)
}

/** The legacy format states how many bytes its length has; without a length, the packet extends to the end. */
function readOld(bytes: Uint8Array, head: number, at: number): Read {
  const tag = (head >> 2) & 0xf
  const width = [1, 2, 4, 0][head & 3] ?? 0
  if (width === 0) return { packet: { tag, body: [bytes.subarray(at)] }, next: bytes.length }
  return whole(bytes, tag, at + width, numberAt(bytes, at, width))
}

/** The current format may split the body into parts, each after its length. The last one has an ordinary length. */
function readNew(bytes: Uint8Array, tag: number, start: number): Read {
  const body: Uint8Array[] = []
  for (let at = start; body.length < MAX_PARTS_PER_PACKET; ) {
    const first = byteAt(bytes, at)
    if (first < 224 || first === 255) {
      const [length, width] = lengthAt(bytes, at, first)
      const { packet, next } = whole(bytes, tag, at + width, length)
      return { packet: { tag, body: [...body, ...packet.body] }, next }
    }
    const part = whole(bytes, tag, at + 1, 2 ** (first & 0x1f))
    body.push(...part.packet.body)
    at = part.next
  }
  throw new Error('A packet has too many parts.')
}

function lengthAt(bytes: Uint8Array, at: number, first: number): [length: number, width: number] {
  if (first < 192) return [first, 1]
  if (first < 224) return [(first - 192) * 256 + byteAt(bytes, at + 1) + 192, 2]
  return [numberAt(bytes, at + 1, 4), 5]
}

function whole(bytes: Uint8Array, tag: number, at: number, length: number): Read {
  if (at + length > bytes.length) throw new Error('A packet is incomplete.')
  return { packet: { tag, body: [bytes.subarray(at, at + length)] }, next: at + length }
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) throw new Error('A packet is incomplete.')
  return byte
}

function numberAt(bytes: Uint8Array, at: number, width: number): number {
  let number = 0
  for (let i = 0; i < width; i++) number = number * 256 + byteAt(bytes, at + i)
  return number
}
