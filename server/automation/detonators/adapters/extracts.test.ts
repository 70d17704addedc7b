import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normaliseObservable } from '../../../domain/observables/normalise.ts'
import {
  addEndpoint,
  addHost,
  addUrl,
  addValue,
  CONFIGURED,
  extractsOf,
  leftOutOf,
  marked,
  noExtracts,
  seen,
} from './extracts.ts'

const endpoints = (...texts: string[]) => {
  const extracts = noExtracts()
  for (const text of texts) addEndpoint(extracts, text, CONFIGURED)
  return extractsOf(extracts).map(({ kind, value, classification }) => `${classification} ${kind} ${value}`)
}

test('servers of malware are read with and without scheme, port and path', () => {
  assert.deepEqual(
    endpoints('tcp://203.0.113.1:4444', '203.0.113.2:80', '[2001:db8::1]:443', 'c2.invented.example:1'),
    [
      'bad uri tcp://203.0.113.1:4444',
      'bad ipv4 203.0.113.1',
      'bad ipv4 203.0.113.2',
      'bad ipv6 2001:db8::1',
      'bad domain c2.invented.example',
    ],
  )
  assert.deepEqual(endpoints('c2.invented.example/gate.php', 'no host', '', 'x'.repeat(10_000), '1.2.3', '../..'), [
    'bad uri http://c2.invented.example/gate.php',
    'bad domain c2.invented.example',
  ])
})

test('what every machine contacts is never bad, however it is spelled', () => {
  const spellings = [
    ...['8.8.8.8', '8.8.8.8:53', 'tcp://8.8.8.8:53', 'http://134744072/', 'tcp://0x8.8.8.8/', '::ffff:8.8.8.8'],
    ...[
      '[2001:4860:4860::8888]:53',
      '2001:4860:4860:0:0:0:0:8888',
      'microsoft.com',
      'WWW.Microsoft.COM.',
      'microsoft.com:443',
    ],
    ...[
      'https://update.microsoft.com/x',
      'tcp://Microsoft.com:80',
      '\uff4dicrosoft.com',
      'tcp://\uff4dicrosoft.com:80',
    ],
    ...[
      'microsoft\u3002com',
      'tcp://microsoft\u3002com',
      'microsoft[.]com',
      'hxxp://microsoft[.]com/',
      'tcp://microsoft%2ecom/',
    ],
    ...['http://user@microsoft.com/', 'ctldl.windowsupdate.com', 'microsoft.com/path', 'micro\u00adsoft.com'],
  ]
  for (const spelling of spellings) {
    const extracts = noExtracts()
    addEndpoint(extracts, spelling, CONFIGURED)
    addHost(extracts, spelling, CONFIGURED)
    addUrl(extracts, spelling, CONFIGURED)
    const bad = extractsOf(extracts).filter(({ classification }) => classification === 'bad')
    assert.deepEqual(
      bad.map(({ kind, value }) => [kind, normaliseObservable(kind as 'domain', value)]),
      [],
      spelling,
    )
  }
})

test('a host where every user can store content is not bad, but a URL there can be', () => {
  assert.deepEqual(endpoints('https://t.me/invented', 'https://drive.google.com/uc?id=1'), [
    'bad uri https://t.me/invented',
    'unknown domain t.me',
    'bad uri https://drive.google.com/uc?id=1',
    'unknown domain drive.google.com',
  ])
})

test('the network of the sandbox is left out', () => {
  const own = [
    '192.168.1.2',
    '10.0.0.1:80',
    'http://127.0.0.1/',
    '169.254.1.1',
    '224.0.0.251',
    '255.255.255.255',
    '0.0.0.0',
  ]
  const more = [
    '[fe80::1]:80',
    'fe80::1%eth0',
    'ff02::fb',
    'fd00::1',
    'wpad.local',
    'http://desktop-1/',
    '5.0.168.192.in-addr.arpa',
  ]
  assert.deepEqual(endpoints(...own, ...more), [])
})

test('the strongest judgement of a value counts', () => {
  const extracts = noExtracts()
  for (const judged of [seen('contacted'), CONFIGURED, marked('resolved')])
    addValue(extracts, 'ipv4', '203.0.113.1', judged)
  assert.deepEqual(extractsOf(extracts), [{ kind: 'ipv4', value: '203.0.113.1', ...CONFIGURED }])
})

test('no more than 20,000 values are judged, and a warning counts the others', () => {
  const extracts = noExtracts()
  for (let i = 0; i < 20_010; i++) addHost(extracts, `h${i}.invented.example`, seen('contacted'))
  assert.equal(extractsOf(extracts).length, 20_000)
  assert.deepEqual(leftOutOf(extracts), ['Only the first 20000 values were read. 10 mentions of others were left out.'])
})
