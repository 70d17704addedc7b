import assert from 'node:assert/strict'
import { test } from 'node:test'
import { providerFault, startUrl } from './provider-faults.ts'

test('provider errors are shown as known messages, and nothing else from the address', () => {
  assert.match(providerFault('?error=not_linked') ?? '', /^No Corvus account is linked/)
  assert.equal(providerFault('?error=Call+0900-1234+at+once'), undefined)
  assert.equal(providerFault('?error=something_new'), undefined)
  assert.equal(providerFault(''), undefined)
})

test('signing in with a provider returns to the current page', () => {
  const start = 'https://corvus.example/api/v2/session/oidc/start?identity_provider=1'
  const url = new URL(startUrl(start, { pathname: '/tickets/3', search: '?tab=a' }))
  assert.deepEqual(Object.fromEntries(url.searchParams), { identity_provider: '1', return_to: '/tickets/3?tab=a' })
  assert.equal(
    new URL(startUrl(start, { pathname: '/sign-in', search: '?error=x' })).searchParams.get('return_to'),
    '/',
  )
})
