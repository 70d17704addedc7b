import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entityData } from '../../intelligence/entities/entity-data.ts'
import { DocumentError, documentOf } from '../document.ts'
import type { Finding, Reader } from '../finding.ts'
import { readHtml } from './read-html.ts'
import { readMarkdown } from './read-markdown.ts'
import { readText } from './read-text.ts'
import { REPORT_LIMITS } from './report.ts'

async function reportIn(read: Reader, bytes: Buffer | string, name = 'notes.txt') {
  const findings: Finding[] = await Array.fromAsync(read(documentOf(bytes, name)))
  const [finding] = findings
  assert.ok(findings.length === 1 && finding?.kind === 'entity')
  const { data, observables = [] } = finding.entity
  assert.ok(entityData.safeParse(data).success, JSON.stringify(entityData.safeParse(data).error?.issues.slice(0, 3)))
  const values = observables.map(({ type, value }) => `${type} ${value}`)
  return {
    data: { ...data, description: String(data.description), timestamp: data.timestamp, extracts: data.extracts },
    values,
    losses: finding.losses ?? [],
  }
}

const refused = (read: Reader, bytes: Buffer | string, message: RegExp) =>
  assert.rejects(
    Array.fromAsync(read(documentOf(bytes))),
    (error) => error instanceof DocumentError && message.test(error.message),
  )

test('plain text becomes one report with its text, and observables with their sentences', async () => {
  const { data, values } = await reportIn(readText, 'Weekly notes\n\nThe C2 is hxxp://bad[.]org/a. It was busy.\r\n')
  assert.equal(data.title, 'Weekly notes')
  assert.equal(data.description, 'Weekly notes\n\nThe C2 is hxxp://bad[.]org/a. It was busy.\n')
  assert.deepEqual(values, ['uri http://bad.org/a', 'domain bad.org'])
  assert.deepEqual(data.extracts, [
    { kind: 'uri', value: 'http://bad.org/a', context: 'The C2 is hxxp://bad[.]org/a.' },
    { kind: 'domain', value: 'bad.org', context: 'The C2 is hxxp://bad[.]org/a.' },
  ])
})

test('the same bytes give the same report regardless of the file name, and other bytes another one', async () => {
  const ids = await Promise.all(
    [
      ['a', 'x'],
      ['a', 'y'],
      ['b', 'x'],
    ].map(async ([text = '', name]) => (await reportIn(readText, text, name)).data.id),
  )
  assert.match(String(ids[0]), /^report--[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  assert.equal(ids[0], ids[1])
  assert.notEqual(ids[0], ids[2])
})

test('a document without observables still becomes a report', async () => {
  const { data, values } = await reportIn(readText, ' \n ', 'folder/empty.txt')
  assert.deepEqual([data.title, values, data.extracts], ['empty.txt', [], undefined])
  assert.equal((await reportIn(readText, '\n', '')).data.title, 'Document')
})

test('text is decoded by its byte order mark, by its zeros, as UTF-8, or otherwise as Windows-1252', async () => {
  const text = 'caf\u00e9 \u2013 bad.org'
  for (const bytes of [
    Buffer.from(text),
    Buffer.from(`\ufeff${text}`),
    Buffer.from(`\ufeff${text}`, 'utf16le'),
    Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    Buffer.from(text, 'utf16le'),
    Buffer.from('caf\xe9 \x96 bad.org', 'latin1'),
  ]) {
    const { data, values } = await reportIn(readText, bytes)
    assert.deepEqual([data.description, values], [text, ['domain bad.org']])
  }
  await refused(readText, 'a\nb\0c', /line 2: .*NUL/)
})

test('characters that cannot be stored are removed, and lone surrogates are replaced', async () => {
  const { data } = await reportIn(readText, Buffer.from('\ufeffa\u0001b\ud800c', 'utf16le'))
  assert.equal(data.description, 'ab\ufffdc')
})

test('text that is too long is truncated, and the loss is reported', async () => {
  const line = (i: number) => `host-${i}.org ${'x'.repeat(100)}\n`
  const text = Array.from({ length: REPORT_LIMITS.observables + 1 }, (_, i) => line(i)).join('')
  const { data, values, losses } = await reportIn(readText, text)
  assert.equal(values.length, REPORT_LIMITS.observables)
  assert.equal((data.extracts as unknown[]).length, REPORT_LIMITS.extracts)
  assert.equal(data.description.length, REPORT_LIMITS.description)
  assert.deepEqual(losses, [
    'observables: more than 10000 were found; only the first 10000 are kept',
    `description: only the first 200000 of ${text.length} characters are kept`,
    'extracts: the sentences of 9000 more observables are not kept',
  ])
})

test('only the visible text of a page is read, with link targets that the text is about', async () => {
  const html = `<!doctype html><html><head><title>Heron &amp; co</title><style>a{b:c.com}</style>
    <meta property="article:published_time" content="2024-01-02T03:04:05+01:00">
    <script>var x = "http://script.org"</script></head><body><!-- http://comment.org -->
    <nav><a href="https://nav.org/x">Home</a></nav><h1>Heron</h1>
    <p>See hxxp://b<b>ad</b>[.]org/a or <a href="http://long.bad.ru/abcdef">long.bad[.]ru/abc\u2026</a>.</p>
    <table><tr><td>one.org</td><td>two.org</td></tr></table><ul><li>three.org<li>four.org</ul>
    <noscript>five.org</noscript><template>six.org</template></body></html>`
  const { data, values } = await reportIn(readHtml, html, 'page.html')
  assert.deepEqual([data.title, data.timestamp], ['Heron & co', '2024-01-02T02:04:05.000Z'])
  assert.equal(
    data.description,
    'Home\nHeron\nSee hxxp://bad[.]org/a or long.bad[.]ru/abc\u2026 <http://long.bad.ru/abcdef>.\none.org\ttwo.org\n- three.org\n- four.org',
  )
  assert.deepEqual(values, [
    'uri http://bad.org/a',
    'domain bad.org',
    'domain long.bad.ru',
    'uri http://long.bad.ru/abcdef',
    'domain one.org',
    'domain two.org',
    'domain three.org',
    'domain four.org',
  ])
})

test('the text of an SVG image is part of a page, but its title is not the title of the page', async () => {
  const svg =
    '<svg><title>Icon</title><style>.a{}</style><text>hxxp://drawn[.]org/x</text><text>198.51.100.7</text></svg>'
  const { data, values } = await reportIn(readHtml, `<html><body>${svg}<h1>Heading</h1></body></html>`)
  assert.equal(data.title, 'Heading')
  assert.equal(data.description, 'Icon\nhxxp://drawn[.]org/x\n198.51.100.7\nHeading')
  assert.deepEqual(values, ['uri http://drawn.org/x', 'domain drawn.org', 'ipv4 198.51.100.7'])
})

test('the canonical URL of a page precedes its text and is not searched', async () => {
  const page = (href: string) => `<html><head><link rel="canonical" href="${href}"></head><body>bad.org</body></html>`
  const { data, values } = await reportIn(readHtml, page('https://blog.example.com/a?b=c&amp;d'))
  assert.equal(data.description, 'Link: https://blog.example.com/a?b=c&d\nbad.org')
  assert.deepEqual(values, ['domain bad.org'])
  assert.equal((await reportIn(readHtml, page('javascript:alert(1)'))).data.description, 'bad.org')
})

test('a page is decoded with the encoding it declares', async () => {
  const page = (head: string) => Buffer.from(`<html><head>${head}</head><body>\xd6\xf4 bad.org</body></html>`, 'latin1')
  assert.equal(
    (await reportIn(readHtml, page('<meta charset="windows-1251">'))).data.description,
    '\u0426\u0444 bad.org',
  )
  const older = '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">'
  assert.equal((await reportIn(readHtml, page(older))).data.description, '\u00d6\u00f4 bad.org')
  assert.equal((await reportIn(readHtml, page('<meta charset="no-such">'))).data.description, '\u00d6\u00f4 bad.org')
})

test('Markdown is stripped of its mark-up, and code is treated as text', async () => {
  const markdown = `---\ntitle: "Heron"\ndate: 2024-02-03\n---\n# Head *one*\n\nSome **bold** \`bad[.]org\`, [a page](http://page.org/a_b)
and ev\\_il.\n\n\`\`\`\nhxxp://code[.]org\n\`\`\`\n\n| a | b |\n|---|---|\n| one.org | two.org |\n`
  const { data, values } = await reportIn(readMarkdown, markdown, 'x.md')
  assert.deepEqual([data.title, data.timestamp], ['Heron', '2024-02-03T00:00:00.000Z'])
  assert.equal(
    data.description,
    'Head one\n\nSome bold bad[.]org, a page <http://page.org/a_b>\nand ev_il.\n\nhxxp://code[.]org\n\n a | b \n\n one.org | two.org',
  )
  assert.deepEqual(values, [
    'domain bad.org',
    'uri http://page.org/a_b',
    'domain page.org',
    'uri http://code.org',
    'domain code.org',
    'domain one.org',
    'domain two.org',
  ])
  assert.equal((await reportIn(readMarkdown, 'Title\n=====\ntext')).data.title, 'Title')
})

test('ids of techniques that the description does not have are kept: in links, and where it is cut off', async () => {
  const idsOf = async (read: Reader, text: string) => {
    const [finding] = await Array.fromAsync(read(documentOf(text, 'a')))
    return finding?.kind === 'entity' ? finding.entity.attackIds : undefined
  }
  const page =
    '<p>First <a href="https://attack.mitre.org/techniques/T1566/001/">phishing</a>, <a href="/T1078">then</a> T1059'
  assert.deepEqual(await idsOf(readHtml, page), ['T1566.001'])
  const filler = 'word '.repeat(REPORT_LIMITS.description / 5)
  assert.deepEqual(await idsOf(readText, `T1078 ${filler} T1566`), ['T1078', 'T1566'])
  assert.equal(await idsOf(readText, 'T1078'), undefined)
})
