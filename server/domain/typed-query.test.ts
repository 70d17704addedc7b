import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasFreeWords, refangQuery } from './typed-query.ts'

test('defanged indicators in a query are refanged', () => {
  const queries: readonly (readonly [string, string])[] = [
    ['hugesoft[.]org', 'hugesoft.org'],
    ['1.2.3[.]4', '1.2.3.4'],
    ['1[.]2[.]3[.]4', '1.2.3.4'],
    ['hugesoft(dot)org', 'hugesoft.org'],
    ['hugesoft[dot]org', 'hugesoft.org'],
    ['hugesoft{.}org', 'hugesoft.org'],
    ['user[@]host[.]example', 'user@host.example'],
    ['user(at)host(dot)example', 'user@host.example'],
    ['hxxp[:]//evil[.]example/a.php?x=1', '"http://evil.example/a.php?x=1"'],
    ['hxxps://evil[.]example', '"https://evil.example"'],
    ['https://evil.example/a', '"https://evil.example/a"'],
    ['2001[:]db8[:][:]1', '"2001:db8::1"'],
    ['10[.]0[.]0[.]0/8', '"10.0.0.0/8"'],
    ['10.0.0.0/8', '"10.0.0.0/8"'],
    ['2001:db8::1', '"2001:db8::1"'],
    ['00:1b:44:11:3a:b7', '"00:1b:44:11:3a:b7"'],
  ]
  for (const [typed, query] of queries) assert.equal(refangQuery(typed), query)
})

test('an indicator is found in the middle of a query', () => {
  const queries: readonly (readonly [string, string])[] = [
    ['type:report AND hugesoft[.]org', 'type:report AND hugesoft.org'],
    ['value:hxxp://evil[.]example/', 'value:"http://evil.example/"'],
    ['extracts.value:(a[.]example OR b[.]example)', 'extracts.value:(a.example OR b.example)'],
    ['(hugesoft[.]org)', '(hugesoft.org)'],
    ['+hugesoft[.]org -evil[.]example', '+hugesoft.org -evil.example'],
    ['value:*[.]evil[.]example', 'value:*.evil.example'],
    ['value:hxxps://evil[.]example/*', 'value:https\\:\\/\\/evil.example\\/*'],
    ['hugesoft[.]org^3', 'hugesoft.org^3'],
    ['hugesoft[.]org~1 apt1', 'hugesoft.org~1 apt1'],
    ['value:2001:db8::1', 'value:"2001:db8::1"'],
  ]
  for (const [typed, query] of queries) assert.equal(refangQuery(typed), query)
})

test('ranges, phrases, regular expressions, groups and escapes keep their meaning', () => {
  for (const query of [
    '',
    'apt1',
    'created_at:[now-7d TO now]',
    'meta.half_life:{30 TO 90]',
    'data.confidence:[a TO b] AND [. TO x]',
    '"hugesoft[.]org"',
    'title:"hxxp[:]//evil[.]example"',
    'value:/evil[.]example/',
    'value:/h[tx]{2}ps?:.*/ OR /a[.]b/',
    'title:(dot)',
    'a (dot) b',
    '(at OR dot) AND +(dot)',
    'hugesoft\\[.\\]org',
    'word^2.5 other~1',
    'sources.name:"a (at) b"',
    'data.x\\ y:z',
    'a[b]c',
    'a:b:c',
    'http',
    'title:http',
    '*:*',
  ])
    assert.equal(refangQuery(query), query)
})

test('refanging twice has no further effect', () => {
  for (const query of ['hxxp[:]//evil[.]example/a', 'a[.]b OR (c[.]d)', '2001[:]db8[:][:]1']) {
    const once = refangQuery(query)
    assert.equal(refangQuery(once), once)
  }
})

test('a query has free words if a part of it names no field', () => {
  for (const query of [
    'apt1',
    'apt1 type:report',
    'type:report AND (apt1)',
    '"comment crew"',
    'apt*',
    '/apt[0-9]/',
    'a[.]b',
  ])
    assert.equal(hasFreeWords(query), true, query)
  for (const query of [
    '',
    '  ',
    'type:report',
    'tags:(a OR b) AND created_at:[now-7d TO now]',
    'title:"comment crew" OR NOT type:/x/',
    '*:*',
    '_exists_:data.title',
    'NOT apt1',
    '-apt1 type:report',
    'type:report && tags : b',
  ])
    assert.equal(hasFreeWords(query), false, query)
})

test('a long query of any kind is read in time', () => {
  for (const part of ['a[.]', '[', '(dot)', '^', '/', '"', '\\', 'hxxp://', ':', '1:', 'a(', '^1', '[a TO ']) {
    assert.equal(typeof refangQuery(part.repeat(20_000)), 'string')
    assert.equal(typeof hasFreeWords(part.repeat(20_000)), 'boolean')
  }
})

test('a word with an escape is left as typed', () => {
  for (const query of ['bad[.]example\\/login', 'hxxp://bad.example/a\\*b', 'a\\:b[.]example'])
    assert.equal(refangQuery(query), query)
})
