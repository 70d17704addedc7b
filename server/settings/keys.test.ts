import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { encryptKey, generateKey, readKey, readPrivateKey, revokeKey } from 'openpgp'
import { startApp } from '../../test/app.ts'

const TOKEN = '<PASS_THROUGH_TOKEN>'
const PRIVATE = 'configurations/private-key'
const PUBLIC = 'configurations/public-keys'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())
beforeEach(async () => {
  await corvus.call('PUT', PRIVATE, { data: {} })
  await corvus.call('PUT', PUBLIC, { data: {} })
})

const get = async (path: string) => (await corvus.call('GET', path)).body.data
const put = (path: string, data: object) => corvus.call('PUT', path, { data })
const generate = (data: object) => corvus.call('POST', `${PRIVATE}/generate`, { data })
const faults = ({ status, body }: { status: number; body: { detail: string }[] }) => [
  status,
  ...body.map(({ detail }) => detail),
]

/** Creates a third party's key. */
async function keyPair(options: { date?: Date; keyExpirationTime?: number; passphrase?: string } = {}) {
  const userIDs = [{ name: 'Ada', email: 'ada@example.org' }]
  const { privateKey, publicKey } = await generateKey({ type: 'ecc', userIDs, format: 'object', ...options })
  return { privateKey, publicKey, armored: privateKey.armor(), public: publicKey.armor() }
}

const NONE = { key: null, keyid: null, fingerprint: null, user_ids: [], expires_at: null, public_key: null }

test('there is no private key and no public key by default', async () => {
  const { last_updated_at: _, ...privateKey } = await get(PRIVATE)
  assert.deepEqual(privateKey, { type: 'private-key', ...NONE })
  const { keys, details } = await get(PUBLIC)
  assert.deepEqual([keys, details], [[], []])
})

test('a generated key is never shown; its public key and matching fingerprint are', async () => {
  const { status, body } = await generate({ name: 'Team Łódź', email: 'team@example.org' })
  assert.equal(status, 201, JSON.stringify(body))
  assert.equal(body.data.key, TOKEN)
  assert.deepEqual(body.data.user_ids, ['Team Łódź <team@example.org>'])
  assert.equal(body.data.expires_at, null)
  const exported = await readKey({ armoredKey: body.data.public_key })
  assert.ok(!exported.isPrivate())
  assert.equal(exported.getFingerprint().toUpperCase(), body.data.fingerprint)
  assert.equal(exported.getKeyID().toHex().toUpperCase(), body.data.keyid)
  assert.deepEqual(await get(PRIVATE), body.data)
  const taken = await put(PUBLIC, { keys: [body.data.public_key] })
  assert.equal(taken.body.data.details[0].fingerprint, body.data.fingerprint)
})

test('a generated key has the requested lifetime and does not replace an existing one', async () => {
  const { body } = await generate({ name: 'Team', email: 'team@example.org', lifetime_days: 1 })
  const hours = (Date.parse(body.data.expires_at) - Date.now()) / 3_600_000
  assert.ok(hours > 23.9 && hours <= 24)
  const again = await generate({ name: 'Team', email: 'team@example.org' })
  assert.deepEqual(faults(again), [409, 'A private key is already set. Set it to null first.'])
  assert.equal((await get(PRIVATE)).fingerprint, body.data.fingerprint)
})

test('the user id of a key is validated', async () => {
  const right = { name: 'Team', email: 'team@example.org', lifetime_days: 36_500 }
  for (const wrong of [
    { name: '' },
    { name: 'a <b@c.d>' },
    { name: 'x'.repeat(201) },
    { name: 'a\nb' },
    { email: 'nobody' },
    { email: null },
    { lifetime_days: 0 },
    { lifetime_days: 36_501 },
    { lifetime_days: 1.5 },
  ]) {
    const refused = await generate({ ...right, ...wrong })
    assert.equal(refused.status, 400, JSON.stringify(wrong))
    assert.match(refused.body[0].detail, new RegExp(`^data\\.${Object.keys(wrong)[0]}: `))
  }
  assert.equal((await generate({ ...right, name: 'x'.repeat(200) })).status, 201)
})

test('a private key can be imported, is kept when the placeholder is sent, and is cleared by null', async () => {
  const pair = await keyPair()
  const { status, body } = await put(PRIVATE, { key: `\n${pair.armored}\n` })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.data.fingerprint, pair.privateKey.getFingerprint().toUpperCase())
  for (const data of [{ ...body.data }, { key: TOKEN }]) {
    const kept = await put(PRIVATE, data)
    assert.deepEqual({ ...kept.body.data, last_updated_at: null }, { ...body.data, last_updated_at: null })
  }
  const patched = await corvus.call('PATCH', PRIVATE, { data: { fingerprint: 'mine' } })
  assert.equal(patched.body.data.fingerprint, body.data.fingerprint)
  const { last_updated_at: _, ...cleared } = (await corvus.call('PATCH', PRIVATE, { data: { key: null } })).body.data
  assert.deepEqual(cleared, { type: 'private-key', ...NONE })
  assert.equal((await put(PRIVATE, { key: TOKEN })).body.data.key, null)
})

test('a locked key requires its passphrase, which is not stored', async () => {
  const { privateKey } = await keyPair()
  const passphrase = 'open sesame, please'
  const key = (await encryptKey({ privateKey, passphrase })).armor()
  assert.deepEqual(faults(await put(PRIVATE, { key })), [400, 'data.passphrase: is needed to unlock the key'])
  const wrong = await put(PRIVATE, { key, passphrase: 'open barley' })
  assert.deepEqual(faults(wrong), [400, 'data.passphrase: does not unlock the key'])
  const { status, body } = await put(PRIVATE, { key, passphrase })
  assert.equal(status, 200)
  assert.ok(!Object.hasOwn(body.data, 'passphrase'))
  const { rows } = await corvus.pool.query(`
    select to_jsonb(s)::text as row from settings as s union all select to_jsonb(c)::text from changes as c`)
  assert.ok(rows.every(({ row }) => !row.includes(passphrase) && !row.includes('PRIVATE KEY')))
})

test('the stored value is sealed and contains the key', async () => {
  const pair = await keyPair()
  await put(PRIVATE, { key: pair.armored })
  const { rows } = await corvus.pool.query(`select value ->> 'key' as key from settings where name = 'private-key'`)
  assert.match(rows[0].key, /^v1\./)
  const { openVault } = await import('../identity/access/vault.ts')
  const opened = (await openVault(corvus.config)).open(rows[0].key)
  assert.equal((await readPrivateKey({ armoredKey: opened })).getFingerprint(), pair.privateKey.getFingerprint())
})

test('anything but a private key that can sign now is rejected with the reason', async () => {
  const pair = await keyPair()
  const expired = await keyPair({ date: new Date('2020-01-01'), keyExpirationTime: 3600 })
  const { privateKey: revoked } = await revokeKey({ key: pair.privateKey, format: 'object' })
  const broken = pair.armored.replace(/\n([A-Za-z0-9+/]{60})\n/, (_, line) => `\n${[...line].reverse().join('')}\n`)
  for (const [key, reason] of [
    [pair.public, 'must be a private key, not a public one'],
    [expired.armored, 'has expired (2020-01-01T01:00:00.000000+00:00)'],
    [revoked.armor(), 'has been revoked'],
    [broken, 'must be one armored OpenPGP private key'],
    ['nonsense', 'must be one armored OpenPGP private key'],
    [`${pair.armored}${pair.armored}`, 'must be one armored OpenPGP private key'],
    [`${pair.armored}more`, 'must be one armored OpenPGP private key'],
    [pair.armored.slice(0, 400), 'must be one armored OpenPGP private key'],
  ] as const) {
    assert.deepEqual(faults(await put(PRIVATE, { key })), [400, `data.key: ${reason}`])
  }
  assert.equal((await get(PRIVATE)).key, null)
})

test('public keys keep their order and are identified', async () => {
  const [one, other] = [await keyPair(), await keyPair({ date: new Date('2020-01-01'), keyExpirationTime: 3600 })]
  const { status, body } = await put(PUBLIC, { keys: [one.public, other.public] })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(
    body.data.details.map(({ expires_at, ...rest }: { expires_at: string | null }) => [expires_at, Object.keys(rest)]),
    [
      [null, ['keyid', 'fingerprint', 'user_ids']],
      ['2020-01-01T01:00:00.000000+00:00', ['keyid', 'fingerprint', 'user_ids']],
    ],
  )
  assert.equal(body.data.details[0].fingerprint, one.publicKey.getFingerprint().toUpperCase())
  const again = await put(PUBLIC, body.data)
  assert.deepEqual({ ...again.body.data, last_updated_at: null }, { ...body.data, last_updated_at: null })
  const fewer = await corvus.call('PATCH', PUBLIC, { data: { keys: [other.public] } })
  assert.equal(fewer.body.data.details.length, 1)
})

test('every invalid public key is reported, and no private key is stored', async () => {
  const pair = await keyPair()
  const relabelled = pair.armored.replaceAll('PRIVATE', 'PUBLIC')
  const refused = await put(PUBLIC, { keys: [pair.public, pair.armored, 'x', pair.public, relabelled] })
  assert.deepEqual(faults(refused), [
    400,
    'data.keys[1]: must not be a private key',
    'data.keys[2]: must be one armored OpenPGP public key',
    'data.keys[3]: is the same key as keys[0]',
    'data.keys[4]: must not be a private key',
  ])
  assert.deepEqual((await get(PUBLIC)).keys, [])
})

test('there can be at most 100 public keys of at most 100,000 characters each', async () => {
  const pairs = await Promise.all(Array.from({ length: 101 }, () => keyPair()))
  const keys = pairs.map((pair) => pair.public)
  assert.equal((await put(PUBLIC, { keys })).status, 400)
  assert.equal((await put(PUBLIC, { keys: keys.slice(1) })).status, 200)
  const [key = ''] = keys
  const padded = (length: number) => key.replace('\n', `\nComment: ${'x'.repeat(length - key.length - 10)}\n`)
  assert.equal(padded(100_000).length, 100_000)
  assert.equal((await put(PUBLIC, { keys: [padded(100_000)] })).status, 200)
  assert.equal((await put(PUBLIC, { keys: [padded(100_001)] })).status, 400)
})

test('a private key has at most 100,000 characters', async () => {
  const { armored } = await keyPair()
  const padded = (length: number) => armored.replace('\n', `\nComment: ${'x'.repeat(length - armored.length - 10)}\n`)
  assert.equal((await put(PRIVATE, { key: padded(100_000) })).status, 200)
  assert.equal((await put(PRIVATE, { key: padded(100_001) })).status, 400)
})
