import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { createCleartextMessage, createMessage, generateKey, type PrivateKey, revokeKey, sign } from 'openpgp'
import { signDetached, verifySigned } from './openpgp.ts'

const CONTENT = 'ipv4,8.8.8.8\r\ndomain,evil.example \n- a line with a dash\nłódź\n'

const keyOf = async (options: { date?: Date; keyExpirationTime?: number; subkeys?: { sign: true }[] } = {}) => {
  const userIDs = [{ name: 'Ada', email: 'ada@example.org' }]
  const { privateKey } = await generateKey({ type: 'ecc', userIDs, format: 'object', ...options })
  return { privateKey, public: privateKey.toPublic().armor(), id: privateKey.getKeyID().toHex().toUpperCase() }
}
const ada = await keyOf()
const eve = await keyOf()

/** In pieces that split lines and characters. */
async function* stream(content: string | Uint8Array, size = 7) {
  const bytes = Buffer.from(content)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const detached = (key: PrivateKey, content = CONTENT) => signDetached(key.armor(), stream(content))
const verify = (content: string | Uint8Array, signature: string | undefined, keys = [ada.public]) =>
  verifySigned(stream(content, 1000), signature, keys)

/** A packet of compressed data (tag 8) with ZLIB (algorithm 2). */
function compress(packets: Uint8Array) {
  const body = Buffer.concat([Buffer.from([2]), deflateSync(packets)])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  return Buffer.concat([Buffer.from([0xc8, 0xff]), length, body])
}

async function insideOf(verified: Awaited<ReturnType<typeof verifySigned>>) {
  assert.ok('content' in verified, JSON.stringify(verified))
  assert.ok(typeof verified.content === 'function')
  return Buffer.concat(await Array.fromAsync(verified.content())).toString()
}

test('a detached signature by one of the keys is valid for the unchanged content', async () => {
  const signature = await detached(ada.privateKey)
  assert.deepEqual(await verify(CONTENT, signature, [eve.public, ada.public]), { keyId: ada.id, content: 'as given' })
  const text = await sign({
    message: await createMessage({ text: CONTENT }),
    signingKeys: ada.privateKey,
    detached: true,
  })
  assert.deepEqual(await verify(CONTENT, text), { keyId: ada.id, content: 'as given' })
  assert.deepEqual(await verify('', await detached(ada.privateKey, '')), { keyId: ada.id, content: 'as given' })
})

test('one valid signature of several is enough', async () => {
  const message = await createMessage({ binary: Buffer.from(CONTENT) })
  const signature = await sign({ message, signingKeys: [eve.privateKey, ada.privateKey], detached: true })
  for (const [key, id] of [[ada.public, ada.id] as const, [eve.public, eve.id] as const])
    assert.deepEqual(await verify(CONTENT, signature, [key]), { keyId: id, content: 'as given' })
})

test('changed content or signatures are invalid', async () => {
  const signature = await detached(ada.privateKey)
  const fault = 'has a signature that does not hold: it was changed after it was signed, or the signature is not good'
  assert.deepEqual(await verify(CONTENT.replace('8.8.8.8', '8.8.8.9'), signature), { fault })
  assert.deepEqual(await verify(`${CONTENT} `, signature), { fault })
  for (const broken of ['', 'nonsense', signature.slice(0, 120), 'x'.repeat(200_000), ada.public])
    assert.deepEqual(await verify(CONTENT, broken), { fault: 'has a detached signature that cannot be read' })
})

test('a key that is unknown, has expired, was revoked or may not sign is named with the reason', async () => {
  const expired = await keyOf({ date: new Date('2020-01-01'), keyExpirationTime: 86_400 })
  const message = async () => createMessage({ binary: Buffer.from(CONTENT) })
  const early = await sign({
    message: await message(),
    signingKeys: expired.privateKey,
    detached: true,
    date: new Date('2020-01-01T01:00:00Z'),
  })
  const { publicKey: revoked } = await revokeKey({ key: ada.privateKey, format: 'object' })
  const signature = await detached(ada.privateKey)
  const unknown = `is signed by key ${ada.id}, which is not among the public keys`
  assert.deepEqual(await verify(CONTENT, signature, [eve.public]), { fault: unknown })
  assert.deepEqual(await verify(CONTENT, early, [expired.public]), {
    fault: `is signed by key ${expired.id}, which has expired (2020-01-02T00:00:00.000000+00:00)`,
  })
  const fault = `is signed by key ${ada.id}, which has been revoked`
  assert.deepEqual(await verify(CONTENT, signature, [revoked.armor()]), { fault })
  assert.deepEqual(await verify(CONTENT, signature, []), { fault: 'cannot be verified: there are no public keys' })
})

test('a signature of a subkey is reported with the main key, and is invalid once the subkey is revoked', async () => {
  const key = await keyOf({ subkeys: [{ sign: true }] })
  const subkey = key.privateKey.subkeys[0]
  assert.ok(subkey)
  const signature = await sign({
    message: await createMessage({ binary: Buffer.from(CONTENT) }),
    signingKeys: key.privateKey,
    signingKeyIDs: subkey.getKeyID(),
    detached: true,
  })
  assert.deepEqual(await verify(CONTENT, signature, [key.public]), { keyId: key.id, content: 'as given' })
  key.privateKey.subkeys = [await subkey.revoke(key.privateKey.keyPacket as never)]
  assert.deepEqual(await verify(CONTENT, signature, [key.privateKey.toPublic().armor()]), {
    fault: `is signed by key ${subkey.getKeyID().toHex().toUpperCase()}, which may not sign, or not any more`,
  })
})

test('the content of a signed message is returned: armored, binary, compressed or clear text', async () => {
  const message = await createMessage({ binary: Buffer.from(CONTENT) })
  const signingKeys = ada.privateKey
  const armored = await sign({ message, signingKeys })
  const binary = await sign({ message, signingKeys, format: 'binary' })
  const compressed = compress(binary)
  for (const signed of [armored, ` \r\n${armored}and more`, armored.replaceAll('\n', '\r\n'), binary, compressed]) {
    const verified = await verify(signed, undefined)
    assert.equal(await insideOf(verified), CONTENT)
    assert.equal('keyId' in verified && verified.keyId, ada.id)
  }
  const cleartext = await sign({ message: await createCleartextMessage({ text: CONTENT }), signingKeys })
  // A clear-text signature does not cover line ends and the whitespace before them.
  const plain = CONTENT.replace(' \n', '\n').replace('\r\n', '\n')
  assert.equal(await insideOf(await verify(cleartext, undefined)), plain)
  assert.equal(await insideOf(await verify(`unsigned\n${cleartext}`.slice(9), undefined)), plain)
})

test('a message that was changed, is not signed, or cannot be read is refused', async () => {
  const signingKeys = ada.privateKey
  const cleartext = await sign({ message: await createCleartextMessage({ text: CONTENT }), signingKeys })
  const message = await createMessage({ text: CONTENT })
  const armored = await sign({ message, signingKeys })
  const fault = 'has a signature that does not hold: it was changed after it was signed, or the signature is not good'
  assert.deepEqual(await verify(cleartext.replace('8.8.8.8', '8.8.8.9'), undefined), { fault })
  assert.deepEqual(await verify(armored, undefined, [eve.public]), {
    fault: `is signed by key ${ada.id}, which is not among the public keys`,
  })
  for (const unsigned of [CONTENT, '', '{"type":"bundle"}', '-----BEGIN', `x${cleartext}`, Buffer.from('PK\x03\x04')])
    assert.deepEqual(await verify(unsigned, undefined), { fault: 'is not signed' })
  assert.deepEqual(await verify(message.armor() as string, undefined), { fault: 'is not signed' })
  const unreadable = { fault: 'is not a signed OpenPGP message that can be read' }
  const twice = compress(compress(await sign({ message, signingKeys, format: 'binary' })))
  const marked = Buffer.alloc(10_000_000, Buffer.from([0xca, 0]))
  const wrong = ['c4ffffffff', 'c8020301', 'cae0', 'a3'].map((hex) => Buffer.from(hex, 'hex'))
  for (const broken of [armored.slice(0, 100), cleartext.slice(0, 90), twice, marked, compress(marked), ...wrong])
    assert.deepEqual(await verify(broken, undefined), unreadable)
})

test('content that is too large for memory is refused early, and unsigned content is not read to its end', async () => {
  let given = 0
  async function* endless(start: string) {
    yield Buffer.from(start)
    for (const piece = Buffer.alloc(1024 * 1024, 0x41); ; given++) yield piece
  }
  const large = (mebibytes: number) => ({
    fault: `has its signature inside and is larger than ${mebibytes} MiB: that needs a detached signature`,
  })
  const cleartext = '-----BEGIN PGP SIGNED MESSAGE-----\n\n'
  assert.deepEqual(await verifySigned(endless(cleartext), undefined, [ada.public]), large(2))
  assert.deepEqual(await verifySigned(endless('-----BEGIN PGP MESSAGE-----\n\n'), undefined, [ada.public]), large(32))
  given = 0
  assert.deepEqual(await verifySigned(endless('unsigned'), undefined, [ada.public]), { fault: 'is not signed' })
  assert.equal(given, 0)
  const bomb = await createMessage({ binary: Buffer.alloc(33 * 1024 * 1024) })
  const packed = compress(await sign({ message: bomb, signingKeys: ada.privateKey, format: 'binary' }))
  assert.ok(packed.length < 1024 * 1024)
  assert.deepEqual(await verify(packed, undefined), large(32))
})

test('an error of the content is thrown unchanged', async () => {
  const signature = await detached(ada.privateKey)
  async function* broken() {
    yield Buffer.from(CONTENT)
    throw new Error('the connection broke off')
  }
  for (const one of [signature, undefined])
    await assert.rejects(
      verifySigned(
        (async function* () {
          if (one === undefined) yield Buffer.from('-----BEGIN PGP MESSAGE-----')
          yield* broken()
        })(),
        one,
        [ada.public],
      ),
      { message: 'the connection broke off' },
    )
})
