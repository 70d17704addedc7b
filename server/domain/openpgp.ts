import { setImmediate } from 'node:timers/promises'
import type { Key, PrivateKey, SignaturePacket } from 'openpgp'
import { piecesOf, readSignatures, readSignedMessage, type SignatureFault } from './openpgp-messages.ts'

/** Hardly anybody needs it, and it is large: it is loaded with the first key. */
const openpgp = () => import('openpgp')

/** What people tell keys apart by. */
export interface KeyDetails {
  readonly keyid: string
  readonly fingerprint: string
  readonly user_ids: readonly string[]
  /** Null when it never does. */
  readonly expires_at: string | null
}

/** An unlocked private key with its public part. */
export interface OwnKey extends KeyDetails {
  readonly key: string
  readonly public_key: string
}

/** Why a key was not taken, to go on behind the name of the field. */
export interface KeyFault {
  readonly field: 'key' | 'passphrase'
  readonly fault: string
}

/** Keys may ask for any amount of memory to be unlocked: 256 MiB are four times what they usually do. */
const CONFIG = { maxArgon2MemoryExponent: 18 }

const BLOCK = /^-----BEGIN PGP (PRIVATE|PUBLIC) KEY BLOCK-----\r?\n(?:(?!-----)[\s\S])*-----END PGP \1 KEY BLOCK-----$/

/** Reads an armored private key that can sign now; a locked one needs its passphrase. */
export async function readPrivateKey(armored: string, passphrase: string | null): Promise<OwnKey | KeyFault> {
  const key = await readOne(armored)
  if (!key) return wrong('must be one armored OpenPGP private key')
  if (!key.isPrivate()) return wrong('must be a private key, not a public one')
  const fault = await whyUnusable(key)
  if (fault) return wrong(fault)
  const unlocked = await unlock(key, passphrase)
  if ('fault' in unlocked) return unlocked
  if (!(await succeeds((unlocked as Validated).validate())))
    return wrong('has a private part that does not belong to its public one')
  if (!(await succeeds(unlocked.getSigningKey()))) return wrong('is too weak or not made to sign')
  return ownKey(unlocked)
}

/** Reads an armored public key; undefined when it is something else, `private` when it is more than that. */
export async function readPublicKey(
  armored: string,
): Promise<(KeyDetails & { readonly armored: string }) | 'private' | undefined> {
  const key = await readOne(armored)
  if (!key || key.isPrivate()) return key && 'private'
  return { ...(await detailsOf(key)), armored: key.armor() }
}

/** Makes a private key on an elliptic curve that every OpenPGP program knows. */
export async function makePrivateKey(name: string, email: string, lifetimeDays: number | null): Promise<OwnKey> {
  const { generateKey } = await openpgp()
  const { privateKey } = await generateKey({
    type: 'ecc',
    curve: 'curve25519Legacy',
    userIDs: [{ name, email }],
    keyExpirationTime: (lifetimeDays ?? 0) * 86_400,
    format: 'object',
  })
  return ownKey(privateKey)
}

/** Signs content with a private key that is unlocked, piece by piece, and gives the detached signature, armored. */
export async function signDetached(privateKey: string, content: AsyncIterable<Uint8Array>): Promise<string> {
  const { createMessage, readPrivateKey: read } = await openpgp()
  const message = (await createMessage({ binary: ReadableStream.from(content) })) as unknown as Signable
  const signature = await message.signDetached([await read({ armoredKey: privateKey })])
  await drain(message.getLiteralData())
  return textOf(signature.armor())
}

/** What a signature holds for: the content as it was given, or what is inside of the message that was. */
export interface Signed {
  /** Of the main key, as the list of public keys has it. */
  readonly keyId: string
  readonly content: (() => AsyncIterable<Uint8Array>) | 'as given'
}

/**
 * Checks that content was signed with one of the public keys, which still has to be good for that now. Its signature is detached
 * and armored; without one it has to be a signed message, whose inside comes back: binary, armored or clear text. An error of
 * the content itself is thrown; where it is clear before its end that nothing can hold, the rest is left unread.
 */
export async function verifySigned(
  content: AsyncIterable<Uint8Array>,
  signature: string | undefined,
  publicKeys: readonly string[],
): Promise<Signed | SignatureFault> {
  if (publicKeys.length === 0) return { fault: 'cannot be verified: there are no public keys' }
  if (signature !== undefined) {
    const signatures = await readSignatures(signature)
    if ('fault' in signatures) return signatures
    const held = await verifyAll(content, signatures, publicKeys)
    return 'fault' in held ? held : { ...held, content: 'as given' }
  }
  const message = await readSignedMessage(content)
  if ('fault' in message) return message
  const held = await verifyAll(piecesOf(message.signed), message.signatures, publicKeys)
  return 'fault' in held ? held : { ...held, content: () => piecesOf(message.content) }
}

/** Each signature costs a hash of all the content. */
const MAX_SIGNATURES = 10

/** One signature that holds is enough. Only those are tried whose keys are known and good. */
async function verifyAll(
  content: AsyncIterable<Uint8Array>,
  signatures: readonly SignaturePacket[],
  publicKeys: readonly string[],
): Promise<{ keyId: string } | SignatureFault> {
  const { readKey } = await openpgp()
  const keys = await Promise.all(publicKeys.map((armoredKey) => readKey({ armoredKey, config: CONFIG })))
  const found = await Promise.all(signatures.slice(0, MAX_SIGNATURES).map((one) => findIssuer(one, keys)))
  const issued = found.flatMap((one) => ('fault' in one ? [] : one))
  return issued.length > 0 ? verifyIssued(content, issued) : (found.find((one) => 'fault' in one) ?? NONE)
}

const NONE: SignatureFault = { fault: 'is not signed' }

interface Issued {
  readonly signature: SignaturePacket
  readonly key: Key
}

async function findIssuer(signature: SignaturePacket, keys: readonly Key[]): Promise<Issued | SignatureFault> {
  const id = signature.issuerKeyID
  const key = keys.find((one) => one.getKeys(id).length > 0)
  const issuer = `is signed by key ${id.toHex().toUpperCase()}, which`
  if (!key) return { fault: `${issuer} is not among the public keys` }
  const fault = await whyUnusable(key)
  if (fault) return { fault: `${issuer} ${fault}` }
  if (await succeeds(key.getSigningKey(id))) return { signature, key }
  return { fault: `${issuer} may not sign, or not any more` }
}

/** Reads the content once, for all signatures. */
async function verifyIssued(
  content: AsyncIterable<Uint8Array>,
  issued: readonly Issued[],
): Promise<{ keyId: string } | SignatureFault> {
  const { createMessage, PacketList, Signature, verify } = await openpgp()
  const packets = new PacketList<SignaturePacket>()
  packets.push(...issued.map(({ signature }) => signature))
  const { data, signatures } = await verify({
    message: await createMessage({ binary: ReadableStream.from(content) }),
    signature: new Signature(packets),
    verificationKeys: issued.map(({ key }) => key),
    format: 'binary',
  })
  await drain(data)
  const outcomes = await Promise.all(signatures.map(({ verified }) => succeeds(verified)))
  const good = signatures[outcomes.indexOf(true)]
  const signer = good && issued.find(({ key }) => key.getKeys(good.keyID).length > 0)
  if (signer) return { keyId: signer.key.getKeyID().toHex().toUpperCase() }
  return {
    fault: 'has a signature that does not hold: it was changed after it was signed, or the signature is not good',
  }
}

/** A stream of the bytes to hash, as fast as the message is read; reading it at once keeps the whole message in memory. */
async function drain(data: ReadableStream<Uint8Array>): Promise<void> {
  for (const reader = data.getReader(); !(await reader.read()).done; ) await setImmediate()
}

/** A message that is a stream; the types of the library leave out that it can be signed by itself. */
interface Signable {
  signDetached(keys: readonly PrivateKey[]): Promise<{ armor(): string | ReadableStream<string> }>
  getLiteralData(): ReadableStream<Uint8Array>
}

/** While something is being signed, its signature is a stream as well. */
async function textOf(armored: string | ReadableStream<string>): Promise<string> {
  if (typeof armored === 'string') return armored
  let text = ''
  const reader = armored.getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) text += piece.value
  return text
}

/** The library has it, its types leave it out. */
type Validated = PrivateKey & { validate(): Promise<void> }

async function readOne(armored: string): Promise<Key | undefined> {
  const text = armored.trim()
  if (!BLOCK.test(text)) return undefined
  const { readKeys } = await openpgp()
  const keys = await readKeys({ armoredKeys: text, config: CONFIG }).catch(() => [])
  return keys.length === 1 ? keys[0] : undefined
}

async function whyUnusable(key: Key): Promise<string | undefined> {
  if (await key.isRevoked()) return 'has been revoked'
  const { expires_at } = await detailsOf(key)
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return `has expired (${expires_at})`
  return (await succeeds(key.verifyPrimaryKey())) ? undefined : 'is not signed by itself in a way that can be trusted'
}

async function unlock(key: PrivateKey, passphrase: string | null): Promise<PrivateKey | KeyFault> {
  // Of a key whose main part is kept elsewhere, that part is empty.
  const isLocked = key.getKeys().some(({ keyPacket }) => !keyPacket.isDecrypted() && !isEmpty(keyPacket))
  if (!isLocked) return key
  if (!passphrase) return { field: 'passphrase', fault: 'is needed to unlock the key' }
  const { decryptKey } = await openpgp()
  const wrongPassphrase: KeyFault = { field: 'passphrase', fault: 'does not unlock the key' }
  return decryptKey({ privateKey: key, passphrase, config: CONFIG }).catch(() => wrongPassphrase)
}

const isEmpty = (packet: object): boolean => 'isDummy' in packet && (packet as { isDummy(): boolean }).isDummy()

const ownKey = async (key: PrivateKey): Promise<OwnKey> => ({
  ...(await detailsOf(key)),
  key: key.armor(),
  public_key: key.toPublic().armor(),
})

async function detailsOf(key: Key): Promise<KeyDetails> {
  const expires = await key.getExpirationTime().catch(() => null)
  return {
    keyid: key.getKeyID().toHex().toUpperCase(),
    fingerprint: key.getFingerprint().toUpperCase(),
    user_ids: key.getUserIDs(),
    expires_at: expires instanceof Date ? expires.toISOString().replace('Z', '000+00:00') : null,
  }
}

const wrong = (fault: string): KeyFault => ({ field: 'key', fault })

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )
