import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../test/app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

test('the account policy starts with its defaults', async () => {
  assert.deepEqual((await corvus.call('GET', 'configurations/account-policy')).body.data, {
    type: 'account-policy',
    account_policy_enabled: true,
    lockout_attempts: 5,
    password_min_length: 10,
    password_requires_capital_letters: true,
    password_requires_numbers: true,
    password_requires_special_chars: true,
    password_reset_link_expiry_in_seconds: 604_800,
    two_factor_authn_enforced: false,
    two_factor_suspension_min: 0,
    last_updated_at: null,
  })
})

test('the server setting starts with its defaults', async () => {
  const { body } = await corvus.call('GET', 'configurations/server')
  const { server_name, timezone, feature_flags, ui_theme, tlp_amber_strict_downgrade } = body.data
  assert.deepEqual([server_name, timezone, ui_theme, tlp_amber_strict_downgrade], ['Corvus', 'UTC', 'user', 'RED'])
  assert.deepEqual(feature_flags, {
    inactive_entities_enabled: false,
    is_terminology_customization_enabled: false,
    property_propagation: false,
  })
})

test('every limit in the specification is enforced', async () => {
  for (const [setting, field, least, most] of [
    ['account-policy', 'lockout_attempts', 0, 1000],
    ['account-policy', 'password_min_length', 8, 64],
    ['account-policy', 'password_reset_link_expiry_in_seconds', 3600, 31_536_000],
    ['account-policy', 'two_factor_suspension_min', 0, 525_600],
    ['server', 'jwt_expiration_delta', 60, 1_324_512_000],
    ['server', 'session_inactivity_timeout', 60, 86_400],
  ] as const) {
    const set = (value: number) => corvus.call('PATCH', `configurations/${setting}`, { data: { [field]: value } })
    for (const value of [least, most]) assert.equal((await set(value)).body.data[field], value)
    for (const value of [least - 1, most + 1, least + 0.5])
      assert.equal((await set(value)).status, 400, `${field} ${value}`)
  }
  await corvus.call('PUT', 'configurations/account-policy', { data: {} })
  await corvus.call('PUT', 'configurations/server', { data: {} })
})

test('time zones and enumerations are validated', async () => {
  const set = async (data: object) => (await corvus.call('PATCH', 'configurations/server', { data })).status
  for (const timezone of ['Europe/Amsterdam', 'UTC', 'America/Argentina/Ushuaia'])
    assert.equal(await set({ timezone }), 200)
  for (const timezone of ['Mars/Olympus', '', '+01:00', 1]) assert.equal(await set({ timezone }), 400)
  assert.equal(await set({ ui_theme: 'teal' }), 200)
  assert.equal(await set({ ui_theme: 'pink' }), 400)
  assert.equal(await set({ tlp_amber_strict_downgrade: 'GREEN' }), 400)
  assert.equal(await set({ feature_flags: { property_propagation: true } }), 200)
})
