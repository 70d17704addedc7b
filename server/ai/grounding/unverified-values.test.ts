import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unverifiedValues } from './unverified-values.ts'

const values = (generated: string, ...inputs: string[]) => unverifiedValues(generated, inputs).map(({ value }) => value)

test('values that occur in an input are verified, however they are spelled', () => {
  const generated = 'It calls evil.example.com and 198.51.100.7, exploits CVE-2024-3400, and uses T1566.001.'
  assert.deepEqual(
    values(generated, 'hxxp://EVIL[.]example[.]com/x from 198[.]51[.]100[.]7', 'cve-2024-3400, t1566: T1566.001'),
    [],
  )
  assert.deepEqual(values('It calls evil[.]example[.]com.', 'evil.example.com'), [])
  assert.deepEqual(values('Mail came from example.com, T1566.', 'a@example.com; T1566.002'), [])
})

test('values that occur nowhere are found with their places', () => {
  const generated = 'See 203.0.113.9 and CVE-2024-9999 (T1055), d41d8cd98f00b204e9800998ecf8427e, www.bad.com.'
  const found = unverifiedValues(generated, ['203.0.113.8, CVE-2024-999, T1056 and bad.com'])
  assert.deepEqual(
    found.map(({ start, end }) => generated.slice(start, end)),
    ['203.0.113.9', 'CVE-2024-9999', 'T1055', 'd41d8cd98f00b204e9800998ecf8427e', 'www.bad.com'],
  )
})

test('every occurrence is found, in every spelling', () => {
  const generated = 'First bad.com, then bad[.]com, bad.com and hxxp://bad[.]com/a; notbad.com is another.'
  const found = unverifiedValues(generated, ['notbad.com'])
  assert.deepEqual(
    found.map(({ start, end }) => generated.slice(start, end)),
    ['bad.com', 'bad[.]com', 'bad.com', 'hxxp://bad[.]com/a'],
  )
})

test('prose without values has none', () => {
  assert.deepEqual(values('Crows fly at night. They are 3 in number.'), [])
})
