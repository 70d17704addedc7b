import type { SignaturePacket } from 'openpgp'
import { unpack } from './openpgp-packets.ts'

/** Signatures, what they were made over, and what that is for its reader. */
export interface SignedMessage {
  readonly signatures: readonly SignaturePacket[]
  readonly signed: Uint8Array
  readonly content: Uint8Array
}

/** Why something is not signed, or not so that it can be trusted, to go on behind its name. */
export interface SignatureFault {
  readonly fault: string
}

/** The largest message with a signature inside, and the largest content of one: both are held in memory. */
const LARGEST = 32 * 1024 * 1024
/** The same for clear text, which the library takes apart line by line, each of which costs more than its length. */
const LARGEST_CLEARTEXT = 2 * 1024 * 1024
/** Many signatures, or one with very long notes. */
const LONGEST_SIGNATURE = 100_000
const PIECE = 64 * 1024

const CLEARTEXT = '-----BEGIN PGP SIGNED MESSAGE-----'
const ARMORED = '-----BEGIN PGP MESSAGE-----'
const END = '-----END PGP MESSAGE-----'

const NOT_SIGNED: SignatureFault = { fault: 'is not signed' }
const BROKEN: SignatureFault = { fault: 'is not a signed OpenPGP message that can be read' }
const tooLarge = (limit: number): SignatureFault => ({
  fault: `has its signature inside and is larger than ${limit / 1024 / 1024} MiB: that needs a detached signature`,
})

/** Reads an armored detached signature, of which there may be several in one. */
export async function readSignatures(armored: string): Promise<readonly SignaturePacket[] | SignatureFault> {
  const broken = { fault: 'has a detached signature that cannot be read' }
  if (armored.length > LONGEST_SIGNATURE) return broken
  const { readSignature, SignaturePacket: Packet } = await import('openpgp')
  const signature = await readSignature({ armoredSignature: armored }).catch(() => undefined)
  const packets = signature?.packets.filter((packet) => packet instanceof Packet) ?? []
  return packets.length === 0 ? broken : packets
}

/** Reads a message with its signature inside: binary, armored or clear text. What is none is not read to its end. */
export async function readSignedMessage(content: AsyncIterable<Uint8Array>): Promise<SignedMessage | SignatureFault> {
  const bytes = await gather(content)
  if ('fault' in bytes) return bytes
  const form = formOf(bytes)
  try {
    if (form === 'cleartext') return await readCleartext(bytes)
    return await readBinary(await unpack(form === 'armored' ? unarmor(bytes) : bytes, LARGEST))
  } catch (error) {
    return (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(LARGEST) : BROKEN
  }
}

/** Bytes piece by piece, as streams come. */
export async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}

type Form = 'cleartext' | 'armored' | 'binary'

/** By how it begins. In packets of OpenPGP the first bit is set, which no text and no JSON has; undefined asks for more. */
function formOf(bytes: Buffer): Form | 'none' | undefined {
  const start = bytes.subarray(0, 1024).toString('latin1').trimStart()
  if (start.startsWith(CLEARTEXT)) return 'cleartext'
  if (start.startsWith(ARMORED)) return 'armored'
  if (bytes.length < 1024 && (CLEARTEXT.startsWith(start) || ARMORED.startsWith(start))) return undefined
  return SIGNED_TAGS.has(tagOf(bytes[0] ?? 0)) ? 'binary' : 'none'
}

/** Signature, one-pass signature, compressed data, marker: what a signed message can begin with. */
const SIGNED_TAGS = new Set([2, 4, 8, 10])
const tagOf = (byte: number): number => (byte < 0x80 ? 0 : byte & 0x40 ? byte & 0x3f : (byte >> 2) & 0xf)

async function gather(content: AsyncIterable<Uint8Array>): Promise<Buffer | SignatureFault> {
  const pieces: Uint8Array[] = []
  let size = 0
  let form: Form | 'none' | undefined
  for await (const piece of content) {
    pieces.push(piece)
    size += piece.length
    form ??= formOf(Buffer.concat(pieces))
    if (form === 'none') return NOT_SIGNED
    const limit = form === 'cleartext' ? LARGEST_CLEARTEXT : LARGEST
    if (size > limit) return tooLarge(limit)
  }
  return form === undefined ? NOT_SIGNED : Buffer.concat(pieces)
}

/** Takes the armor off. Its checksum is left unread: the signature tells more. */
function unarmor(bytes: Buffer): Buffer {
  const end = bytes.indexOf(END)
  const head = bytes.subarray(0, 4096).toString('latin1')
  const body = /\n[ \t]*\r?\n/.exec(head)
  if (!body || end < 0) throw new Error('The armor is not whole.')
  const text = bytes.subarray(body.index + body[0].length, end).toString('latin1')
  const checksum = text.lastIndexOf('\n=')
  return Buffer.from(checksum < 0 ? text : text.slice(0, checksum), 'base64')
}

/** Without keys the library only takes a message apart, which costs no hash of it for each of its signatures. */
async function readBinary(binaryMessage: Uint8Array): Promise<SignedMessage | SignatureFault> {
  const { readMessage, verify } = await import('openpgp')
  const message = await readMessage({ binaryMessage })
  const { data, signatures } = await verify({ message, verificationKeys: [], format: 'binary' })
  const found = await Promise.all(signatures.map(({ signature }) => signature))
  return signedBy(
    found.flatMap(({ packets }) => [...packets]),
    data,
    data,
  )
}

/** Was signed with the line ends of networks, whatever it has now, and without what is blank at the ends of lines. */
async function readCleartext(bytes: Buffer): Promise<SignedMessage | SignatureFault> {
  const { readCleartextMessage, verify } = await import('openpgp')
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  const message = await readCleartextMessage({ cleartextMessage: text.trimStart() })
  const { data, signatures } = await verify({ message, verificationKeys: [] })
  const found = await Promise.all(signatures.map(({ signature }) => signature))
  const packets = found.flatMap((one) => [...one.packets])
  return signedBy(packets, Buffer.from(data.replaceAll('\n', '\r\n')), Buffer.from(data))
}

const signedBy = (
  signatures: readonly SignaturePacket[],
  signed: Uint8Array,
  content: Uint8Array,
): SignedMessage | SignatureFault => (signatures.length === 0 ? NOT_SIGNED : { signatures, signed, content })
