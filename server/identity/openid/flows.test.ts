import assert from 'node:assert/strict'
import { test } from 'node:test'
import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import { flowCookie } from './flows.ts'

test('the sign-in cookie is sent to the callback path only, below the public URL, and is Secure for https', async () => {
  // The cookie plugin must be registered.
  await Fastify().register(cookie)
  assert.equal(
    flowCookie({ baseUrl: 'https://intel.example.org/corvus' }, 'secret'),
    'corvus_sign_in=secret; Max-Age=600; Path=/corvus/api/v2/session/oidc; HttpOnly; Secure; SameSite=Lax',
  )
  assert.match(
    flowCookie({ baseUrl: 'http://corvus.test' }, 'secret'),
    /; Path=\/api\/v2\/session\/oidc; HttpOnly; SameSite/,
  )
})
