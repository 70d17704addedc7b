import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from '../../../test/set-up/lists/encode.ts'
import type { CsvMapping } from '../csv/mapping.ts'
import { documentOf } from '../document.ts'
import { wayOf } from '../formats.ts'
import type { Kind } from '../recognise.ts'

const RUSSIAN = 'Вредоносный сервер управления bad.org'

/** Japanese text with an invalid byte sequence in its third line. */
const damaged = (before: string): Buffer =>
  Buffer.concat([
    encode(`${before}不正な通信\n不正な通信先サーバ\n`, 'shift_jis'),
    Buffer.from([0xfd, 0x41, 0xfe]),
    encode('\n不正な通信\n', 'shift_jis'),
  ])

async function outcome(format: Kind, bytes: Buffer, mapping?: CsvMapping) {
  const document = documentOf(bytes, 'x')
  const { read } = await wayOf(format, document, { csvMapping: mapping })
  const findings = await Array.fromAsync(read(document))
  return {
    notes: findings.flatMap((finding) => (finding.kind === 'entity' ? (finding.notes ?? []) : [])),
    losses: findings.flatMap(({ losses = [] }) => losses),
  }
}

const MAPPING: CsvMapping = {
  config: {
    comment_character: '#',
    delimiter: ',',
    first_row_is_header: true,
    ignore_comment_lines: false,
    ignore_lines_without_delimiter: false,
    parse_tags: false,
    quote_character: '"',
    tags_delimiter: ';',
  },
  columns: [],
  default_field_values: {},
  mappings: [{ column_name: 'domain', vendor_fields: ['observables.domain'], parameters: {} }],
}

test('the encoding of every text is reported unless it is UTF-8', async () => {
  const mail = (charset: string) =>
    `Subject: x\nMIME-Version: 1.0\nContent-Type: text/plain;\n charset="${charset}"\nContent-Transfer-Encoding: 8bit\n\n${RUSSIAN}\n`
  const texts: readonly (readonly [Kind, string, CsvMapping?])[] = [
    ['text', RUSSIAN],
    ['markdown', `# Отчёт\n\n${RUSSIAN}`],
    ['html', `<html><title>Отчёт</title><p>${RUSSIAN}</p></html>`],
    ['html', `<html><meta charset="windows-1251"><p>${RUSSIAN}</p></html>`],
    ['email', mail('windows-1251')],
    ['csv', 'domain,note\nbad.org,Вредоносный сервер\nworse.org,Вредоносный сервер управления\n'],
    ['csv', 'domain,note\nbad.org,Вредоносный сервер\nworse.org,Вредоносный сервер управления\n', MAPPING],
  ]
  for (const [format, text, mapping] of texts) {
    const { notes, losses } = await outcome(format, encode(text, 'windows-1251'), mapping)
    assert.deepEqual({ notes, losses }, { notes: ['The encoding is Windows-1251.'], losses: [] }, format)
  }
  for (const format of ['text', 'markdown', 'html'] as const)
    assert.deepEqual((await outcome(format, Buffer.from(RUSSIAN))).notes, [])
  assert.deepEqual((await outcome('email', Buffer.from(mail('utf-8')))).notes, [])
})

test('invalid byte sequences are counted, with the line of the first', async () => {
  const html = Buffer.concat([Buffer.from('<meta charset="shift_jis">'), damaged('')])
  const lost = '2 byte sequences are not valid in Shift_JIS and replaced by U+FFFD, first in line 3'
  assert.deepEqual((await outcome('html', html)).losses, [lost])
  const marked = Buffer.concat([Buffer.from('\ufeffOne\nbad.org \ufffd\n'), Buffer.from([0xff, 0x0a])])
  const once = '1 byte sequence is not valid in UTF-8 and replaced by U+FFFD, first in line 2'
  for (const format of ['text', 'markdown'] as const) assert.deepEqual((await outcome(format, marked)).losses, [once])
})

test('invalid byte sequences after the examined sample are counted too', async () => {
  const rows = 'bad.org,Вредоносный сервер управления\n'.repeat(2_500)
  const greek = Buffer.concat([
    encode('bad.org,κακόβουλο λογισμικό\n'.repeat(4_000), 'windows-1253'),
    Buffer.from('worse.org,\xd2\n', 'latin1'),
  ])
  const lost = '1 byte sequence is not valid in Windows-1253 and replaced by U+FFFD, first in line 4001'
  assert.deepEqual((await outcome('csv', greek)).losses, [lost])
  const mapped = Buffer.concat([Buffer.from('domain,note\n'), greek])
  assert.deepEqual((await outcome('csv', mapped, MAPPING)).losses.at(-1), lost.replace('4001', '4002'))
  assert.deepEqual((await outcome('csv', encode(rows, 'windows-1251'))).losses, [])
})

test('undecodable characters of an e-mail and its attachments are counted', async () => {
  const mail = Buffer.from(
    'Subject: x\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\nbad.org caf\xe9\n',
    'latin1',
  )
  const { losses } = await outcome('email', mail)
  assert.match(
    losses.join(),
    /^1 characters could not be decoded and were replaced by U\+FFFD, first in line \d+ of the text$/,
  )
})
