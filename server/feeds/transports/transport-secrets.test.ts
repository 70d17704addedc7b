import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASS_THROUGH } from '../../engine/field-class.ts'
import { openVault } from '../../identity/access/vault.ts'
import { separateSecrets } from './transport-secrets.ts'
import { INCOMING_TRANSPORTS } from './transports.ts'

test('a stored secret has to be given again when another server could read it', async () => {
  const vault = await openVault({ dataFolder: '', secretKey: 'a key of at least thirty-two characters' })
  const transport = INCOMING_TRANSPORTS['eiq.incoming-transports.http-download']
  const given = { url: 'https://feed.example/list', proxy: 'http://proxy.example:3128', username: 'me' }
  const stored = separateSecrets(vault, transport, { ...given, password: 'secret' }, undefined)
  const kept = (changes: object) =>
    separateSecrets(vault, transport, { ...given, password: PASS_THROUGH, ...changes }, stored)
  for (const changes of [{ url: 'https://feed.example/other' }, { proxy: null }]) {
    assert.equal(kept(changes).transport_configuration.password, PASS_THROUGH, JSON.stringify(changes))
  }
  for (const changes of [
    { url: 'https://other.example/list' },
    { url: 'https://feed.example:8443/list' },
    { proxy: 'http://other.example:3128' },
    { verify_ssl: false },
    { ca_certificate: 'of an authority of my own' },
  ]) {
    assert.throws(() => kept(changes), /password: must be given again/, JSON.stringify(changes))
  }
})
