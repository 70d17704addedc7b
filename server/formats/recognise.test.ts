import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { SAMPLES, sampleFiles, skipWithoutSamples } from '../../test/sample-files.ts'
import { tarOf, zipOf } from '../../test/set-up/archives.ts'
import { DocumentError, documentOf } from './document.ts'
import { type Kind, recognise } from './recognise.ts'

const UUID = '6d9d4df8-5449-5841-aad4-d3cf66aabac5'
const STIX = 'xmlns:stix="http://stix.mitre.org/stix-1"'

const cases: readonly (readonly [Kind, string, string?])[] = [
  ['stix-2', `{"type": "bundle", "id": "bundle--${UUID}", "objects": []}`],
  ['stix-2', `\uFEFF \n\t{"type":"bundle"}`],
  ['stix-2', `{"objects": [{"type": "indicator", "id": "indicator--${UUID}"}], "type": "bundle"}`],
  ['stix-2', `{"id": "bundle--${UUID}", "spec_version": "2.0", "type": "bundle"`],
  ['stix-2', `{"type": "indicator", "id": "indicator--${UUID}", "pattern": "["}`],
  ['stix-2', `[{"type": "malware", "id": "malware--${UUID}"}]`],
  ['stix-2', '{"more": false, "objects": []}'],
  [
    'stix-2',
    `{"more": true, "next": "x", "objects": [{"type": "ipv4-addr", "value": "192.0.2.1", "id": "ipv4-addr--${UUID}"}]}`,
  ],
  ['stix-2', '{"type": "bundle", "objects": [{"type": "x\0y"}]}'],
  ['stix-2', `{"type": "bundle", "objects": [${'['.repeat(100_000)}`],
  ['stix-2', '{"type": "bundle", "type": "other"}'],
  [
    'stix-2',
    `{"objects": [{"extensions": {"a": {"b": {"c": {"d": {"e": 1}}}}}, "id": "malware--${UUID}", "type": "malware"}]}`,
  ],
  [
    'stix-2',
    `{"objects": [{"description": "${'long '.repeat(20_000)}", "type": "malware", "id": "malware--${UUID}"}]}`,
  ],
  [
    'stix-2',
    `{"objects": [{"data": {"type": "x", "title": "y"}, "type": "x-a", "id": "x-a--${UUID}"}], "type": "bundle"}`,
  ],
  ['misp', '{"Event": {"info": "x", "Attribute": []}}'],
  ['misp', '{"response": [{"Event": {"info": "x"}}]}'],
  ['misp', '[{"Event": {"info": "x"}}]'],
  ['misp', '{"info": "x", "uuid": "y", "Attribute": []}'],
  ['platform-json', '{"type": "domain", "value": "a.example"}\n{"type": "ipv4", "value": "192.0.2.1"}'],
  ['platform-json', '{"content_type": "urn:eclecticiq.com:json:3.2", "entities": []}'],
  ['platform-json', '{"entities": [{"data": {"type": "report", "title": "x"}, "meta": {}}]}'],
  ['platform-json', '{"data": [{"data": {"type": "report", "title": "x"}}]}'],
  ['platform-json', '{"data": {"type": "report", "title": "x"}, "meta": {"tags": []}}'],
  ['json', '{"name": "layer", "techniques": [{"type": "x"}]}'],
  ['json', '{"objects": [1, 2]}'],
  ['json', '{}'],
  ['json', '[1, 2.5, null]'],
  ['json', '['.repeat(100_000)],
  ['stix-1', `<?xml version="1.0"?><!-- a > b --><stix:STIX_Package ${STIX}>`],
  ['stix-1', `\uFEFF<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<stix:STIX_Package ${STIX}>`],
  ['stix-1', '<STIX_Package>&x;</STIX_Package'],
  ['stix-1', '<cybox:Observables xmlns:cybox="http://cybox.mitre.org/cybox-2"></cybox:Observables>'],
  [
    'stix-1',
    `<?xml version="1.0"?><!DOCTYPE l [${'<!ENTITY a "&b;&b;">'.repeat(9000)}`.replace('l [', 'STIX_Package ['),
  ],
  ['openioc', '<?xml version="1.0"?><ioc xmlns="http://schemas.mandiant.com/2010/ioc" id="x">'],
  ['openioc', '<OpenIOC xmlns="http://openioc.org/schemas/OpenIOC_1.1" id="x">'],
  ['xml', '<?xml version="1.0"?><rss version="2.0"><channel/></rss>'],
  ['xml', '<config><a>1</a></config>'],
  ['html', '<!DOCTYPE html><html><body>x</body></html>'],
  ['html', '<!-- saved --><HTML><p>x'],
  ['html', '<div class="x">Seen at <b>1.2.3.4</b></div>'],
  ['html', '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><html xmlns="y">'],
  ['html', 'Saved page\n\n<html><body>x'],
  ['markdown', '# Report\n\n- **one**\n- [two](https://a.example)\n'],
  ['markdown', 'plain words', 'notes.md'],
  ['email', 'Received: from a\r\n by b\r\nFrom: x@a.example\r\nSubject: y\r\n\r\nbody'],
  ['email', 'From: a@b.example\nTo: c@d.example\nSubject: x\n\nbody'],
  ['email', 'Subject: x\n\nbody', 'x.eml'],
  ['csv', 'value,type\n1.2.3.4,ipv4\n'],
  ['csv', 'name;country\nx;y\n', 'companies.CSV'],
  ['text', 'Seen at 1.2.3.4, and at a.example.\nFrom: nobody\n'],
  ['text', '[1] A list of references\n[2] and more'],
  ['text', '[INFO] started\n'],
  ['text', '{curly} words'],
  ['text', '<someone@a.example> wrote: hello'],
  ['text', 'caf\u00e9 with an odd sign \u0001 in it, and quite a lot of other words around that sign'],
  ['text', '# 2024\n1.2.3.4\n5.6.7.8\n', 'list.txt'],
  ['text', 'To whom it may concern: the domain a.example is bad.'],
  ['pdf', '%PDF-1.7\n%\u00e2'],
  ['unknown', 'MZ\u0090\0\u0003\0\0\0\u0004\0\0\0\u00ff\u00ff'],
]

for (const [expected, text, name = 'file'] of cases) {
  test(`${JSON.stringify(text.slice(0, 60))} is recognised as ${expected}`, async () => {
    assert.equal(await recognise(documentOf(text, name)), expected)
  })
}

test('archives and office documents are distinguished by their contents', async () => {
  const zip = await zipOf([{ name: 'a.json', content: '{}' }])
  assert.equal(await recognise(documentOf(zip, 'x.txt')), 'zip')
  const word = await zipOf([
    { name: '[Content_Types].xml', content: 'x' },
    { name: 'word/document.xml', content: 'x' },
  ])
  assert.equal(await recognise(documentOf(word)), 'docx')
  const sheet = await zipOf([
    { name: '[Content_Types].xml', content: 'x' },
    { name: 'xl/workbook.xml', content: 'x' },
  ])
  assert.equal(await recognise(documentOf(sheet)), 'unknown')
  assert.equal(await recognise(documentOf(gzipSync('x'))), 'gzip')
  assert.equal(await recognise(documentOf(tarOf([{ name: 'a', content: 'x' }]))), 'tar')
})

test('UTF-16 text is accepted, and structured formats in UTF-16 are rejected with the reason', async () => {
  const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')
  assert.equal(await recognise(documentOf(utf16('Seen at a.example'))), 'text')
  assert.equal(await recognise(documentOf(utf16('Seen at a.example').swap16())), 'text')
  for (const text of ['{"type": "bundle"}', `<?xml version="1.0"?><stix:STIX_Package ${STIX}/>`]) {
    for (const bytes of [
      utf16(text),
      utf16(text).swap16(),
      utf16(text).subarray(2),
      utf16(text).subarray(2).swap16(),
    ]) {
      await assert.rejects(recognise(documentOf(bytes)), (error: Error) => {
        assert.ok(error instanceof DocumentError)
        assert.match(error.message, /in UTF-16; save it as UTF-8/)
        return true
      })
    }
    const utf32 = Buffer.concat([...text].map((character) => Buffer.from([character.charCodeAt(0), 0, 0, 0])))
    await assert.rejects(recognise(documentOf(utf32)), /in UTF-32/)
    await assert.rejects(recognise(documentOf(Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), utf32]))), /in UTF-32/)
  }
})

test('a file that does not match its extension is rejected with the reason', async () => {
  for (const [name, content, reason] of [
    ['hello.json', 'hello', /has the extension \.json, but is not JSON: it starts with "hello"/],
    ['list.JSON', 'type,value\nipv4,192.0.2.1\n', /is not JSON/],
    ['event.json', "{'Event': {'info': 'x'}}", /is not JSON/],
    ['page.json', '<!DOCTYPE html><html><body>404</body></html>', /is not JSON: it is a web page/],
    ['package.xml', 'Seen at a.example', /is not XML/],
    ['page.csv', '<html><body>Sign in</body></html>', /is not a table: it is a web page/],
    ['nul.csv', Buffer.alloc(1000), /is not a table: it contains only NUL characters/],
    ['nul.txt', Buffer.alloc(7), /is not text: it contains only NUL/],
    ['noise.csv', Buffer.from([...Array(500).keys()].map((i) => (i * 37) % 32)), /is not a table: it is not text/],
    ['report.pdf', 'Seen at a.example', /is not a PDF document/],
    ['samples.zip', 'Seen at a.example', /is not an archive/],
    ['mail.eml', 'Seen at a.example', /is not an e-mail/],
  ] as const) {
    await assert.rejects(recognise(documentOf(content, name)), (error: Error) => {
      assert.ok(error instanceof DocumentError)
      assert.match(error.message, reason)
      return true
    })
  }
})

test('a file that is clearly of another kind is read as that, and a mapping takes precedence over a name', async () => {
  assert.equal(await recognise(documentOf('{"type": "bundle", "objects": []}', 'x.csv')), 'stix-2')
  assert.equal(await recognise(documentOf('%PDF-1.7', 'x.txt')), 'pdf')
  assert.equal(await recognise(documentOf('a;b\n1;2\n', 'x.json'), { hasMapping: true }), 'text')
})

test('an empty file is rejected', async () => {
  await assert.rejects(recognise(documentOf('')), /The file is empty/)
})

test('any input is recognised, or rejected with a reason', async () => {
  const anything = fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.json().map(Buffer.from), fc.string().map(Buffer.from))
  const starts = fc.constantFrom(
    '',
    '{"',
    '[',
    '<',
    '<?xml',
    '<!DOCTYPE ',
    '<!--',
    'PK\x03\x04',
    '\x1f\x8b\x08',
    'From ',
  )
  await fc.assert(
    fc.asyncProperty(starts, anything, async (start, bytes) => {
      const document = documentOf(Buffer.concat([Buffer.from(start, 'latin1'), bytes]))
      await recognise(document).catch((error) => assert.ok(error instanceof DocumentError, String(error.stack)))
    }),
    { numRuns: 500 },
  )
})

test('samples are recognised as the format of their folder', { skip: skipWithoutSamples }, async () => {
  const under = (folder: string, extension: string) =>
    sampleFiles([folder], extension)
      .filter((file) => !/schemas\/|EXPECT/.test(file))
      .map((file) => join(SAMPLES, file))
  for (const [format, files] of [
    ['stix-1', [...under('stix12', '.xml'), ...under('stix-pairs', '.xml')]],
    ['stix-2', [...under('stix21', '.json'), ...under('stix-pairs', '.json'), ...under('attack', '.json')]],
    ['csv', under('csv', '.csv')],
  ] as const) {
    for (const file of files) assert.equal(await recognise(documentOf(readFileSync(file), file)), format, file)
  }
})
