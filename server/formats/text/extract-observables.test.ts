import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { defang } from '../../domain/observables/defang.ts'
import { EXAMPLES } from '../../domain/observables/examples.ts'
import { extractObservables } from './extract-observables.ts'

const found = (text: string): string[] => extractObservables(text).map(({ type, value }) => `${type} ${value}`)

/** Asserts that a text contains exactly these observables of the given types. */
function assertFound(text: string, types: readonly string[], expected: readonly string[]): void {
  const actual = found(text).filter((one) => types.includes(one.slice(0, one.indexOf(' '))))
  assert.deepEqual(actual, expected, text)
}

test('each observable is reported once, at its first occurrence, with the sentence around it', () => {
  const text = 'It began on Monday. The page hxxp://bad[.]org/a loads bad.org/b. Later bad.org was down.'
  assert.deepEqual(extractObservables(text), [
    {
      type: 'uri',
      value: 'http://bad.org/a',
      context: 'The page hxxp://bad[.]org/a loads bad.org/b.',
      start: 29,
      end: 47,
    },
    { type: 'domain', value: 'bad.org', context: 'The page hxxp://bad[.]org/a loads bad.org/b.', start: 36, end: 45 },
  ])
  assert.deepEqual(extractObservables('nothing to see here'), [])
  assert.equal(extractObservables('a.org b.org c.org', { limit: 2 }).length, 2)
})

test('common ways to defang a URL are undone', () => {
  for (const text of [
    'http://bad.org/a',
    'hxxp://bad.org/a',
    'hXXp://bad[.]org/a',
    'h**p://bad(.)org/a',
    'hzzp://bad{.}org/a',
    'http[:]//bad[.]org/a',
    'http[://]bad[dot]org/a',
    'hxxp[:]//bad(dot)org[/]a',
    'http://bad [.] org/a',
    'http://bad[.org/a',
    'http://bad.]org/a',
    'http://bad.[org]/a',
    'http://bad\\.org/a',
    'http:\\\\bad.org\\a',
    'http:\\/\\/bad.org\\/a',
    'http:// bad.org/a',
    'http:// bad .org /a',
    'http:///bad.org/a',
    'http__bad.org/a',
    'meow://bad.org/a',
    'ttp://bad.org/a',
    'h[tt]p://bad.org/a',
    '[http]://bad.org/a',
    'http://bad\u200b.org/a',
  ])
    assertFound(`See ${text} there.`, ['uri', 'domain', 'email'], ['uri http://bad.org/a', 'domain bad.org'])
})

test('common ways to defang a name, an IP address or an e-mail address are undone', () => {
  for (const dot of [
    '.',
    '[.]',
    '(.)',
    '{.}',
    '<.>',
    '[dot]',
    '(dot)',
    '{dot}',
    ' [.] ',
    ' (dot) ',
    '\\.',
    '^.',
    '[.',
    '.]',
    ' dot ',
    ' DOT ',
  ])
    assertFound(`bad${dot}org`, ['domain', 'uri'], ['domain bad.org'])
  for (const dot of ['[.]', '(.)', '{.}', '[dot]', '\\.', '[.', '.]', '].', ' . ', ' dot '])
    assertFound(`at 198${dot}51${dot}100${dot}7 now`, ['ipv4', 'domain'], ['ipv4 198.51.100.7'])
  for (const at of ['@', '[@]', '(@)', '{@}', ' {@} ', '[at]', '(at)', ' [at] ', ' (at) ', '{AT}'])
    assertFound(`eve${at}bad[.]org`, ['email', 'domain'], ['email eve@bad.org', 'domain bad.org'])
  assertFound('write to eve at bad dot org', ['email'], ['email eve@bad.org'])
  assertFound('they met us at bad[.]org', ['email'], [])
  assertFound('2001[:]db8[:][:]7 and 2001:db8[::]8', ['ipv6'], ['ipv6 2001:db8::7', 'ipv6 2001:db8::8'])
})

test('a URL ends where the surrounding sentence, quotes or brackets continue', () => {
  for (const [text, ...uris] of [
    ['(https://bad.org/a).', 'https://bad.org/a'],
    ['[here](https://bad.org/a_(b))', 'https://bad.org/a_(b)'],
    ['"https://bad.org/a,b"', 'https://bad.org/a,b'],
    ['<https://bad.org/a>; next', 'https://bad.org/a'],
    ["'https://bad.org/a'", 'https://bad.org/a'],
    ['\u201chttps://bad.org/a\u201d', 'https://bad.org/a'],
    [
      'https://bad.org/a, https://bad.org/b; https://bad.org/c!',
      'https://bad.org/a',
      'https://bad.org/b',
      'https://bad.org/c',
    ],
    ['https://bad.org/a,https://bad.org/b', 'https://bad.org/a', 'https://bad.org/b'],
    ['https://bad.org/?q=[1]&r={2}#x', 'https://bad.org/?q=[1]&r={2}#x'],
    ['https://bad.org/a\u2026', 'https://bad.org/a'],
    ['https://bad.org...', 'https://bad.org'],
    ['https://bad.org/a\u3092\u53c2\u7167', 'https://bad.org/a'],
    ['https://eve:secret@bad.org:8443/a', 'https://eve:secret@bad.org:8443/a'],
    ['http://[2001:db8::1]:8080/a', 'http://[2001:db8::1]:8080/a'],
    ['tcp://198.51.100.7:4444 ldap://bad.org:1389/a', 'tcp://198.51.100.7:4444', 'ldap://bad.org:1389/a'],
    ['https://bad.org/?u=http://worse.org/b', 'https://bad.org/?u=http://worse.org/b', 'http://worse.org/b'],
    ['http://intranet/login http://www https://', 'http://intranet/login'],
    ['http://\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444/a', 'http://xn--e1afmkfd.xn--p1ai/a'],
  ] as const)
    assertFound(
      text,
      ['uri'],
      uris.map((uri) => `uri ${uri}`),
    )
})

test('the host of a URL is reported with its own type', () => {
  assertFound('http://198.51.100.7:80/2.2.2.2/x', ['ipv4', 'domain'], ['ipv4 198.51.100.7'])
  assertFound('http://[2001:db8::1]/', ['ipv6'], ['ipv6 2001:db8::1'])
  assertFound('http://bad.nope/x http://srv/x', ['domain', 'host'], ['host srv'])
  assertFound(
    'https://eve:x@bad.org/?to=bob@good.org',
    ['email', 'domain'],
    ['domain bad.org', 'email bob@good.org', 'domain good.org'],
  )
  assertFound(
    '\\\\198.51.100.7\\c$\\a.exe',
    ['ipv4', 'file'],
    ['file \\\\198.51.100.7\\c$\\a.exe', 'ipv4 198.51.100.7'],
  )
})

test('names of files, programs and versions are neither hosts nor addresses', () => {
  for (const text of [
    'README.md, setup.py, main.rs, install.sh, archive.zip, clip.mov and index.php',
    'call foo.bar() or os.path.join(a), console.log, this.name, window.open',
    'System.Net.WebClient, Microsoft.Win32, java.io.File, com.android.app, org.apache.commons.io',
    'ASP.NET, VB.Net, Node.js and Socket.IO',
    'It is done.It was not. See the end.In any case, etc.',
    'U.S. and e.g. this, i.e. that, Dr.No, a.m., Ph.D.',
    'version 10.0.1.2 and 10.0.1.3, v1.2.3.4, build: 4.3.2.1, Chrome/96.0.4.45, 1.2.3.4.5',
    'section 1.2.3.4, \u00a7 2.3.4.5, Fig. 3.4.5.6, 256.1.1.1, 1.2.3, 01.02.03.04',
    'std::string, a::b, foo::1, 12:30:45, 2020-01-01T12:30:45Z',
    'bad.nope, bad..org, example., .com, com',
  ])
    assertFound(text, ['domain', 'ipv4', 'ipv6', 'uri', 'host', 'email'], [])
})

test('defanged or labelled names are hosts regardless of their ending', () => {
  assertFound(
    'bad[.]sh bad[.]zip www.bad.rs eve@bad.py bad.com.py get.bad.sh',
    ['domain'],
    ['domain bad.sh', 'domain bad.zip', 'domain www.bad.rs', 'domain bad.py', 'domain bad.com.py', 'domain get.bad.sh'],
  )
  assertFound(
    'bad[.]bit and abc.onion and dc01.corp.local',
    ['domain', 'host'],
    ['domain bad.bit', 'domain abc.onion', 'host dc01.corp.local'],
  )
})

test('names are found next to punctuation, words and scripts without spaces', () => {
  assertFound(
    '**bad.org**, _bad.net_ (bad.ru) {bad.cn} bad.de\u3067\u3059 \u306fbad.fr, bad.com-based bad.info.The',
    ['domain'],
    [
      'domain bad.org',
      'domain bad.net',
      'domain bad.ru',
      'domain bad.cn',
      'domain bad.de',
      'domain bad.fr',
      'domain bad.com',
      'domain bad.info',
    ],
  )
  assertFound('_dmarc.bad.org under_score.bad.org', ['domain'], ['domain _dmarc.bad.org', 'domain under_score.bad.org'])
  assertFound(
    '\u0431\u0430\u043d\u043a.\u0440\u0444 b\u00fccher.de \u4f8b\u3048.jp',
    ['domain'],
    ['domain xn--80ab2al.xn--p1ai', 'domain xn--bcher-kva.de', 'domain xn--r8jz45g.jp'],
  )
  assertFound('\u306f198.51.100.7\u3067\u3059', ['ipv4'], ['ipv4 198.51.100.7'])
})

test('addresses and networks are distinguished', () => {
  const types = ['ipv4', 'ipv4-cidr', 'ipv6', 'ipv6-cidr', 'mac-48', 'eui-64']
  assertFound('198.51.100.0/24 and 198.51.100.7/24, 203.0.113.7/32, 192.0.2.1/login', types, [
    'ipv4-cidr 198.51.100.0/24',
    'ipv4 198.51.100.7',
    'ipv4-cidr 203.0.113.7/32',
    'ipv4 203.0.113.7',
    'ipv4 192.0.2.1',
  ])
  assertFound('198.51.100.7:80,198.51.100.8|198.51.100.9 198.51.100.10-198.51.100.11.', types, [
    'ipv4 198.51.100.7',
    'ipv4 198.51.100.8',
    'ipv4 198.51.100.9',
    'ipv4 198.51.100.10',
    'ipv4 198.51.100.11',
  ])
  assertFound('2001:db8::/32, fe80::1%eth0, [2001:DB8::7]:443, ::ffff:192.0.2.1, IPv6:2001:db8::9.', types, [
    'ipv6-cidr 2001:db8::/32',
    'ipv6 fe80::1',
    'ipv6 2001:db8::7',
    'ipv6 ::ffff:192.0.2.1',
    'ipv6 2001:db8::9',
  ])
  assertFound('00:1A:2B:3C:4D:5E 00-1a-2b-3c-4d-5f 001A.2B3C.4D60 aa:bb:cc:dd:ee:ff:00:11 aa:bb:cc', types, [
    'mac-48 00:1a:2b:3c:4d:5e',
    'mac-48 00:1a:2b:3c:4d:5f',
    'mac-48 00:1a:2b:3c:4d:60',
    'eui-64 aa:bb:cc:dd:ee:ff:00:11',
  ])
})

test('e-mail addresses are found in the forms used in mails and lists', () => {
  assertFound(
    '"Eve" <eve@bad.org>; mailto:o\'hara+x@mail.bad.co.uk, bob@198.51.100.7 a.b@bad.org.',
    ['email'],
    ['email eve@bad.org', "email o'hara+x@mail.bad.co.uk", 'email bob@198.51.100.7', 'email a.b@bad.org'],
  )
  assertFound('a..b@bad.org b.@bad.org eve@bad.nope @bad.org eve@bad eve@ bad.org', ['email'], [])
})

test('the displayed form of an observable is found again in a sentence', () => {
  const types = ['ipv4', 'ipv6', 'hash-md5', 'hash-sha256', 'cve', 'mac-48'] as const
  const values = fc
    .constantFrom(...types)
    .chain((type) => fc.constantFrom(...EXAMPLES[type].good.map(([, value]) => ({ type, value }))))
  fc.assert(
    fc.property(values, ({ type, value }) => {
      // Every program contains two colons.
      if (value === '::') return
      const text = `They saw ${defang(type, value)} there.`
      assert.ok(
        extractObservables(text).some((one) => one.type === type && one.value === value),
        text,
      )
    }),
  )
})

test('a hyphen in brackets belongs to the name around it', () => {
  for (const text of ['foo[-]bar.com', 'foo[-]bar[.]com', 'foo(-)bar.com', 'foo[-]bar(dot)com']) {
    assert.deepEqual(
      extractObservables(`Seen at ${text} today`).map(({ value }) => value),
      ['foo-bar.com'],
      text,
    )
  }
  assert.deepEqual(
    extractObservables('Options (-) example.com').map(({ value }) => value),
    ['example.com'],
  )
})

test('a character in brackets never shortens a name to its end', () => {
  const valuesIn = (text: string) => extractObservables(`Seen at ${text} today`).map(({ value }) => value)
  for (const text of ['foo[_]bar.com', 'foo(_)bar[.]com', 'foo{_}bar(dot)com'])
    assert.deepEqual(valuesIn(text), ['foo_bar.com'], text)
  assert.deepEqual(valuesIn('hxxp://foo[_]bar[.]com/x'), ['http://foo_bar.com/x', 'foo_bar.com'])
  assert.deepEqual(valuesIn('me@foo[_]bar.com'), ['me@foo_bar.com', 'foo_bar.com'])
  assert.deepEqual(valuesIn('mal[w]are[.]org'), ['malware.org'])
  assert.deepEqual(valuesIn('foo[\u00b7]bar.com'), ['foo.bar.com'])
  for (const brackets of ['[]', '()', '{}']) {
    const [open, close] = brackets
    for (const sign of '1*#+=~!?&%$;|\\^\'"` ') assert.deepEqual(valuesIn(`foo${open}${sign}${close}bar.com`), [], sign)
  }
})

test('text separated from a name by brackets, an HTML tag or a space is not part of it', () => {
  const valuesIn = (text: string) => extractObservables(`Seen at ${text} today`).map(({ value }) => value)
  assert.deepEqual(valuesIn('a-bad.org(2)b-bad.org[3]c-bad.org'), ['a-bad.org', 'b-bad.org', 'c-bad.org'])
  assert.deepEqual(valuesIn('this<b>bad.org</b>'), ['bad.org'])
  assert.deepEqual(valuesIn('this [1] bad.org and [2]worse.org'), ['bad.org', 'worse.org'])
  assert.deepEqual(valuesIn('if(a)b.push(c)'), [])
})

test('the path of a URL may use any script, and adjacent words are not part of a URL', () => {
  const uriIn = (text: string) => extractObservables(text).find(({ type }) => type === 'uri')?.value
  assert.equal(uriIn('https://bad.org/下载/文件.zip。'), 'https://bad.org/下载/文件.zip')
  assert.equal(uriIn('http://bad.org/ü?q=日本&x=1 seen'), 'http://bad.org/ü?q=日本&x=1')
  assert.equal(uriIn('see http://bad.org/путь/файл.exe now'), 'http://bad.org/путь/файл.exe')
  assert.equal(uriIn('访问http://bad.org/a下载'), 'http://bad.org/a')
  assert.equal(uriIn('http://bad.org/にアクセス'), 'http://bad.org/')
})

test('a digest inside a longer word is not a digest', () => {
  const md5 = 'd41d8cd98f00b204e9800998ecf8427e'
  for (const text of [`${md5}z`, `z${md5}`, `${md5}Qx1`, `x${md5}y`]) assertFound(text, ['hash-md5'], [])
  assertFound(`(${md5})`, ['hash-md5'], [`hash-md5 ${md5}`])
})
