import type { SignaturePacket } from 'openpgp'
import { unpack } from './openpgp-packets.ts'

/** The signatures of a message, the bytes that they sign, and the content for its reader. */
export interface SignedMessage {
  readonly signatures: readonly SignaturePacket[]
  readonly signed: Uint8Array
  readonly content: Uint8Array
}

/** Why a signature is missing or not trusted, as a predicate that follows the name of the document. */
export interface SignatureFault {
  readonly fault: string
}

/** The limit of a message that contains its signature, and of its content: both are held in memory. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024
/** Lower for clear text: the library splits it into lines, and each line costs more memory than its length. */
const MAX_CLEARTEXT_BYTES = 2 * 1024 * 1024
/** Enough for many signatures, or one with very long notations. */
const MAX_SIGNATURE_LENGTH = 100_000
const PIECE_BYTES = 64 * 1024

const CLEARTEXT = '-----BEGIN PGP SIGNED MESSAGE-----'
const ARMORED = '-----BEGIN PGP MESSAGE-----'
const END = '-----END PGP MESSAGE-----'

const NOT_SIGNED: SignatureFault = { fault: 'is not signed' }
const BROKEN: SignatureFault = { fault: 'is not a signed OpenPGP message that can be read' }
const tooLarge = (limit: number): SignatureFault => ({
  fault: `has its signature inside and is larger than ${limit / 1024 / 1024} MiB: that needs a detached signature`,
})

/** Reads an armored detached signature, which may consist of several. */
export async function readSignatures(armored: string): Promise<readonly SignaturePacket[] | SignatureFault> {
  const broken = { fault: 'has a detached signature that cannot be read' }
  if (armored.length > MAX_SIGNATURE_LENGTH) return broken
  const { readSignature, SignaturePacket: Packet } = await import('openpgp')
  const signature = await readSignature({ armoredSignature: armored }).catch(() => undefined)
  const packets = signature?.packets.filter((packet) => packet instanceof Packet) ?? []
  return packets.length === 0 ? broken : packets
}

/** Reads a message that contains its signature: binary, armored or clear text. Stops reading other content early. */
export async function readSignedMessage(content: AsyncIterable<Uint8Array>): Promise<SignedMessage | SignatureFault> {
  const bytes = await gather(content)
  if ('fault' in bytes) return bytes
  const form = formOf(bytes)
  try {
    if (form === 'cleartext') return await readCleartext(bytes)
    return await readBinary(await unpack(form === 'armored' ? unarmor(bytes) : bytes, MAX_MESSAGE_BYTES))
  } catch (error) {
    return (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(MAX_MESSAGE_BYTES) : BROKEN
  }
}

/** Streams bytes in pieces. */
export async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

type Form = 'cleartext' | 'armored' | 'binary'

/** Determines the form by its first bytes; undefined if there are too few. The first bit of a packet is set, unlike in text. */
function formOf(bytes: Buffer): Form | 'none' | undefined {
  const start = bytes.subarray(0, 1024).toString('latin1').trimStart()
  if (start.startsWith(CLEARTEXT)) return 'cleartext'
  if (start.startsWith(ARMORED)) return 'armored'
  if (bytes.length < 1024 && (CLEARTEXT.startsWith(start) || ARMORED.startsWith(start))) return undefined
  return SIGNED_TAGS.has(tagOf(bytes[0] ?? 0)) ? 'binary' : 'none'
}

/** A signed message begins with a signature, a one-pass signature, compressed data or a marker. */
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
    const limit = form === 'cleartext' ? MAX_CLEARTEXT_BYTES : MAX_MESSAGE_BYTES
    if (size > limit) return tooLarge(limit)
  }
  return form === undefined ? NOT_SIGNED : Buffer.concat(pieces)
}

/** Removes the armor. Its checksum is ignored, as the signature proves more. */
function unarmor(bytes: Buffer): Buffer {
  const end = bytes.indexOf(END)
  const head = bytes.subarray(0, 4096).toString('latin1')
  const body = /\n[ \t]*\r?\n/.exec(head)
  if (!body || end < 0) throw new Error('The armor is incomplete.')
  const text = bytes.subarray(body.index + body[0].length, end).toString('latin1')
  const checksum = text.lastIndexOf('\n=')
  return Buffer.from(checksum < 0 ? text : text.slice(0, checksum), 'base64')
}

/** Without keys, the library only parses the message and does not hash it for each signature. */
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

/** Clear text is signed with CRLF at the end of each line, and without trailing blanks. */
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
