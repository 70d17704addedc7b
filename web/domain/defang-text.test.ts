import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defangText } from './defang-text.ts'

test('every address in a text is defanged', () => {
  const texts: readonly (readonly [string, string])[] = [
    ['see https://evil.example/a.php?x=1 now', 'see hxxps://evil[.]example/a.php?x=1 now'],
    ['ftp://a.example', 'fxp://a[.]example'],
    ['from 192.0.2.1, port 80', 'from 192[.]0[.]2[.]1, port 80'],
    ['mail bad@evil.example.', 'mail bad[@]evil[.]example.'],
    ['host 2001:db8::1 and 1:2:3:4:5:6:7:8', 'host 2001[:]db8[:][:]1 and 1[:]2[:]3[:]4[:]5[:]6[:]7[:]8'],
    ['javascript:alert(1)', 'javascript[:]alert(1)'],
    ['login.bank.example was down', 'login[.]bank[.]example was down'],
    ['hxxps://evil[.]example/', 'hxxps://evil[.]example/'],
  ]
  for (const [text, defanged] of texts) assert.equal(defangText(text), defanged)
})

test('text that is not an address is left unchanged', () => {
  for (const text of [
    'e.g. this',
    'dropper.exe in C:\\x',
    'version 1.2.3',
    'a/b',
    'Node 24.1',
    '10:30:45',
    '00:1b:44:11:3a:b7',
    'std::string',
    'sample.bin',
    'mail.eml',
    '1.2.3.4.5',
  ])
    assert.equal(defangText(text), text)
})

test('a long text without addresses is processed in linear time', () => {
  for (const part of ['a.', 'a', '@', 'a-', '1.', ':', 'a@a', '::', '1:', 'a:b ']) {
    const long = part.repeat(100_000)
    assert.equal(typeof defangText(long), 'string')
  }
})
