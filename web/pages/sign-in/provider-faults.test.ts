import assert from 'node:assert/strict'
import { test } from 'node:test'
import { providerFault, startUrl } from './provider-faults.ts'

test('what a provider did not do is told in our words, and nothing else in the address is', () => {
  assert.match(providerFault('?error=not_linked') ?? '', /^No account here belongs to you/)
  assert.equal(providerFault('?error=Call+0900-1234+at+once'), undefined)
  assert.equal(providerFault('?error=something_new'), undefined)
  assert.equal(providerFault(''), undefined)
})

test('who signs in at a provider comes back to where they were', () => {
  const start = 'https://corvus.example/api/v2/session/oidc/start?identity_provider=1'
  const url = new URL(startUrl(start, { pathname: '/tickets/3', search: '?tab=a' }))
  assert.deepEqual(Object.fromEntries(url.searchParams), { identity_provider: '1', return_to: '/tickets/3?tab=a' })
  assert.equal(
    new URL(startUrl(start, { pathname: '/sign-in', search: '?error=x' })).searchParams.get('return_to'),
    '/',
  )
})
