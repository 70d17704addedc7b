import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../test/app.ts'

const TOKEN = '<PASS_THROUGH_TOKEN>'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

const get = async (name: string) => (await corvus.call('GET', `configurations/${name}`)).body.data
const put = (name: string, data: unknown) => corvus.call('PUT', `configurations/${name}`, { data })
const patch = (name: string, data: unknown) => corvus.call('PATCH', `configurations/${name}`, { data })
const faults = (answer: { body: { detail: string }[] }) => answer.body.map(({ detail }) => detail)

const MAIL = { from_email: 'corvus@example.org', reply_to: 'team@example.org' }

test('records start with their defaults, and required fields with null', async () => {
  const beginnings = {
    email: {
      from_email: null,
      reply_to: null,
      host: null,
      port: 587,
      security: 'starttls',
      username: null,
      password: null,
    },
    'intel-report': { contact: '', terms: '', logo_url: null },
    'attack-classification': { texts: true, detection_rules: true },
    license: { license_key: null },
    'single-sign-on': { password_sign_in_enabled: true },
    stix: { alias: '', namespace: null, producer: '' },
    'bundle-producer': { name: null, api_url: null },
    'default-values': { entity: { confidence: null, tlp: null }, language: 'English' },
    'cover-page': {
      background_color: '',
      header_sections: [],
      is_different_header_enabled: false,
      is_enabled: false,
      is_show_header_enabled: false,
      is_show_image_enabled: false,
      meta: {},
      url: null,
    },
  }
  for (const [type, fields] of Object.entries(beginnings)) {
    assert.deepEqual(await get(type), { type, ...fields, last_updated_at: null }, type)
  }
})

test('every record can be set and reports when it changed', async () => {
  const records = {
    email: { ...MAIL, host: 'mail.example.org', port: 25, security: 'none', username: 'corvus' },
    'intel-report': { contact: 'The team', terms: 'For you alone', logo_url: 'https://example.org/logo.png' },
    license: { license_key: 'ABC-123' },
    stix: { alias: 'example', namespace: 'https://example.org/', producer: 'Example' },
    'bundle-producer': { name: 'Example' },
    'default-values': { entity: { confidence: 'low', tlp: 'GREEN' }, language: 'Chinese(Simplified)' },
    'cover-page': {
      background_color: '#00ff00',
      header_sections: [{ text: 'Left' }, { text: 'Right', size: 2 }],
      is_different_header_enabled: true,
      is_enabled: true,
      is_show_header_enabled: true,
      is_show_image_enabled: true,
      meta: { template: { id: 1 } },
      url: 'https://example.org/cover.png',
    },
  }
  for (const [type, fields] of Object.entries(records)) {
    const { status, body } = await put(type, { type, ...fields })
    assert.equal(status, 200, JSON.stringify(body))
    assert.partialDeepStrictEqual(body.data, { type, ...fields })
    assert.match(body.data.last_updated_at, /\+00:00$/)
    assert.deepEqual(await get(type), body.data)
  }
  for (const type of ['license', 'stix', 'default-values', 'intel-report', 'cover-page']) await put(type, {})
})

test('missing required fields are reported by name, in PUT and PATCH', async () => {
  await corvus.pool.query('delete from settings')
  const both = ['data.from_email: is required', 'data.reply_to: is required']
  for (const answer of [await put('email', { host: 'mail' }), await patch('email', { host: 'mail' })]) {
    assert.equal(answer.status, 400)
    assert.deepEqual(faults(answer), both)
  }
  assert.deepEqual(faults(await put('bundle-producer', {})), ['data.name: is required'])
  assert.equal((await get('email')).last_updated_at, null, 'nothing is stored')
  await put('email', MAIL)
  assert.equal((await patch('email', { host: 'mail' })).body.data.from_email, MAIL.from_email)
  assert.deepEqual(faults(await patch('email', { from_email: null })), ['data.from_email: is required'])
  assert.deepEqual(faults(await patch('server', { server_name: null, timezone: null, ui_theme: null })), [
    'data.server_name: must not be null',
    'data.timezone: must not be null',
  ])
})

test('read-only fields are ignored on input', async () => {
  const { body } = await put('bundle-producer', { name: 'Example', api_url: 'https://elsewhere.example', id: 7 })
  assert.deepEqual([body.data.api_url, 'id' in body.data], [null, false])
  const { rows } = await corvus.pool.query(`select value from settings where name = 'bundle-producer'`)
  assert.deepEqual(rows[0].value, { name: 'Example' })
})

test('invalid values are rejected with the field name', async () => {
  const wrong: [string, string, unknown[]][] = [
    ['email', 'from_email', ['nobody', 'a@b@c', 'a b@c', 'a@b\r\nBcc: c@d', 'A <a@b>', 1]],
    ['email', 'host', ['a b', 'https://mail', '-mail', '', 1]],
    ['email', 'port', [0, 65_536, 1.5, '25']],
    ['email', 'security', ['ssl', 1]],
    ['email', 'password', [1, true, {}, 'x'.repeat(10_001), '\u0000']],
    ['intel-report', 'logo_url', ['logo.png', 'javascript:alert(1)', 'https://a:b@example.org/', 'ftp://example.org']],
    ['stix', 'namespace', ['example', 'urn:x:y', `https://example.org/${'x'.repeat(400)}`]],
    ['stix', 'alias', ['\u0000', '\ud800', 1]],
    ['default-values', 'language', ['english', 'Klingon', 1]],
    ['default-values', 'entity', [1, 'x']],
    ['cover-page', 'is_enabled', ['yes', 1]],
    ['cover-page', 'header_sections', [{}, [1]]],
    ['cover-page', 'meta', [[], 'x', { a: '\u0000' }]],
    ['license', 'license_key', [1, {}]],
  ]
  for (const [type, field, values] of wrong) {
    for (const value of values) {
      const answer = await put(type, { ...MAIL, [field]: value })
      assert.equal(answer.status, 400, `${type}.${field} ${JSON.stringify(value)}`)
      assert.ok(
        faults(answer).every((detail) => detail.startsWith(`data.${field}`)),
        JSON.stringify(answer.body),
      )
    }
  }
  const answer = await put('default-values', { entity: { confidence: 'High', tlp: 'BLUE' } })
  assert.deepEqual(
    faults(answer).map((detail) => detail.split(':')[0]),
    ['data.entity.confidence', 'data.entity.tlp'],
  )
})

test('TLP 2 colours are stored as TLP 1 colours', async () => {
  const set = async (tlp: string) => (await put('default-values', { entity: { tlp } })).body.data.entity.tlp
  assert.equal(await set('CLEAR'), 'WHITE')
  assert.equal(await set('AMBER_STRICT'), 'RED')
  await patch('server', { tlp_amber_strict_downgrade: 'AMBER' })
  assert.equal(await set('AMBER_STRICT'), 'AMBER')
  assert.equal(await set('NONE'), 'NONE')
})

test('a secret is shown as a placeholder and kept when that is sent; null, an empty string or a PUT without it clears it', async () => {
  const stored = async () => {
    const { rows } = await corvus.pool.query(
      `select value -> 'password' as password from settings where name = 'email'`,
    )
    return rows[0].password
  }
  assert.equal((await put('email', { ...MAIL, password: 'hush' })).body.data.password, TOKEN)
  const first = await stored()
  assert.match(first, /^v1\./)
  assert.equal((await get('email')).password, TOKEN)
  for (const answer of [
    await put('email', { ...MAIL, password: TOKEN, port: 26 }),
    await patch('email', { password: TOKEN }),
    await patch('email', { port: 27 }),
  ]) {
    assert.equal(answer.body.data.password, TOKEN)
    assert.equal(await stored(), first)
  }
  await patch('email', { password: 'another' })
  assert.notEqual(await stored(), first)
  for (const clear of [
    () => patch('email', { password: null }),
    () => patch('email', { password: '' }),
    () => put('email', MAIL),
  ]) {
    await patch('email', { password: 'hush' })
    assert.equal((await clear()).body.data.password, null)
    assert.equal(await stored(), null)
  }
  assert.equal(
    (await patch('email', { password: TOKEN })).body.data.password,
    null,
    'the placeholder is not stored as a secret',
  )
})

test('a long secret can be read back', async () => {
  await put('email', { ...MAIL, password: 'x'.repeat(10_000) })
  assert.equal((await get('email')).password, TOKEN)
})

test('concurrent changes do not overwrite each other', async () => {
  await put('stix', {})
  const fields = ['alias', 'producer']
  await Promise.all(fields.map((field) => patch('stix', { [field]: field })))
  const { alias, producer } = await get('stix')
  assert.deepEqual([alias, producer], fields)
})
