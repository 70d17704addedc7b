import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { DocumentError, documentOf } from '../document.ts'
import { readPdf } from './read-pdf.ts'

/** Builds a PDF document with one page per content, and optional metadata. */
function pdfOf(contents: readonly (string | Buffer)[], trailer = '', filter = ''): Buffer {
  const bytes = contents.map((content) => Buffer.from(content))
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(
      `<< /Type /Pages /Kids [${bytes.map((_, i) => `${5 + 2 * i} 0 R`).join(' ')}] /Count ${bytes.length} >>`,
    ),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'),
    Buffer.from("<< /Title (On herons) /CreationDate (D:20240129074207+01'00') >>"),
    ...bytes.flatMap((content, i) => [
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${6 + 2 * i} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      ),
      Buffer.concat([
        Buffer.from(`<< /Length ${content.length} ${filter} >>\nstream\n`),
        content,
        Buffer.from('\nendstream'),
      ]),
    ]),
  ]
  const parts = [Buffer.from('%PDF-1.4\n')]
  const offsets: number[] = []
  let size = 9
  for (const [i, object] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    offsets.push(size)
    parts.push(part)
    size += part.length
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R ${trailer} >>\nstartxref\n${size}\n%%EOF`
  return Buffer.concat([...parts, Buffer.from(end)])
}

const page = (...texts: string[]): string =>
  `BT /F1 12 Tf 50 700 Td ${texts.map((text) => `(${text}) Tj 0 -14 Td`).join(' ')} ET`

async function reportIn(bytes: Buffer | string) {
  const [finding] = await Array.fromAsync(readPdf(documentOf(bytes, 'a.pdf')))
  assert.ok(finding?.kind === 'entity')
  return { ...finding.entity, losses: finding.losses ?? [] }
}

test('a PDF document becomes a report with the text of its pages', async () => {
  const { data, observables } = await reportIn(
    pdfOf([page('The C2 is hxxp://bad[.]org/a', 'and 198.51.100[.]7 as well.'), page('More on page two.')]),
  )
  assert.deepEqual(
    [data.title, data.timestamp, data.description],
    [
      'On herons',
      '2024-01-29T06:42:07.000Z',
      '[page 1]\nThe C2 is hxxp://bad[.]org/a\nand 198.51.100[.]7 as well.\n\n[page 2]\nMore on page two.',
    ],
  )
  assert.deepEqual(
    observables?.map(({ value }) => value),
    ['http://bad.org/a', 'bad.org', '198.51.100.7'],
  )
})

test('a damaged or encrypted PDF document is rejected with the reason', async () => {
  const encrypted = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> /P -4 >> /ID [<00> <00>]`
  for (const [bytes, reason] of [
    ['%PDF-1.4\nbroken', /cannot be read/],
    ['no document', /cannot be read/],
    [pdfOf([page('x')], encrypted), /encrypted with a password/],
    [pdfOf([page('x')]).subarray(0, 200), /cannot be read/],
  ] as const) {
    await assert.rejects(
      reportIn(Buffer.from(bytes)),
      (error) => error instanceof DocumentError && reason.test(error.message),
    )
  }
})

test('a stream that is compressed a thousandfold does no harm', async () => {
  const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024, ' '))
  const { data } = await reportIn(pdfOf([bomb], '', '/Filter /FlateDecode'))
  assert.equal(data.type, 'report')
})
