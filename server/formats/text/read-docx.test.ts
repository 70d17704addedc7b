import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { ZipFile } from 'yazl'
import { DocumentError, documentOf } from '../document.ts'
import { readDocx } from './read-docx.ts'

const W =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
const body = (content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><w:document ${W}><w:body>${content}</w:body></w:document>`
const paragraph = (content: string, style = ''): string =>
  `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}${content}</w:p>`
const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`

function docxOf(parts: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return buffer(zip.outputStream)
}

async function reportIn(parts: Readonly<Record<string, string | Buffer>>) {
  const [finding] = await Array.fromAsync(readDocx(documentOf(await docxOf(parts), 'a.docx')))
  assert.ok(finding?.kind === 'entity')
  return { ...finding.entity, losses: finding.losses ?? [] }
}

const refused = (parts: Readonly<Record<string, string | Buffer>>, reason: RegExp) =>
  assert.rejects(reportIn(parts), (error) => error instanceof DocumentError && reason.test(error.message))

test('a Word document becomes a report with paragraphs, tables, links and notes', async () => {
  const { data, observables } = await reportIn({
    'word/document.xml': body(
      paragraph(run('On herons'), 'Title') +
        paragraph(
          `${run('See hxxp://b')}${run('ad[.]org/a')}<w:del><w:r><w:delText>gone.org</w:delText></w:r></w:del>`,
        ) +
        paragraph(
          `<w:hyperlink r:id="rId1">${run('long.bad.ru')}</w:hyperlink><w:hyperlink r:id="rId2">${run('here')}</w:hyperlink>`,
        ) +
        `<w:tbl><w:tr><w:tc>${paragraph(run('one.org'))}</w:tc><w:tc>${paragraph(run('two.org'))}</w:tc></w:tr></w:tbl>`,
    ),
    'word/_rels/document.xml.rels': `<Relationships xmlns="x"><Relationship Id="rId1" Type="x/hyperlink" Target="http://long.bad.ru/abc"/>
      <Relationship Id="rId2" Type="x/hyperlink" Target="http://other.org/"/></Relationships>`,
    'word/footnotes.xml': `<w:footnotes ${W}><w:footnote>${paragraph(run('note.org'))}</w:footnote></w:footnotes>`,
    'docProps/core.xml':
      '<c:p xmlns:c="c" xmlns:dc="dc" xmlns:t="t"><dc:title>Herons</dc:title><t:created>2024-01-02T03:04:05Z</t:created></c:p>',
  })
  assert.deepEqual([data.title, data.timestamp], ['Herons', '2024-01-02T03:04:05.000Z'])
  assert.equal(
    data.description,
    'On herons\nSee hxxp://bad[.]org/a\nlong.bad.ru <http://long.bad.ru/abc>here\none.org\ttwo.org\n\nnote.org',
  )
  assert.deepEqual(
    observables?.map(({ value }) => value),
    ['http://bad.org/a', 'bad.org', 'long.bad.ru', 'http://long.bad.ru/abc', 'one.org', 'two.org', 'note.org'],
  )
})

test('a document without a title is named after its beginning', async () => {
  const { data } = await reportIn({
    'word/document.xml': body(paragraph(run('Intro')) + paragraph(run('Head'), 'Heading1')),
  })
  assert.equal(data.title, 'Head')
})

test('damaged parts other than the text are reported, and the text is read', async () => {
  const { data, losses } = await reportIn({
    'word/document.xml': body(paragraph(run('text'))),
    'word/footnotes.xml': '<broken',
  })
  assert.equal(data.description, 'text')
  assert.match(losses.join(), /^word\/footnotes\.xml: cannot be read/)
})

test('a damaged or malicious document is rejected with the reason', async () => {
  await refused({ 'word/other.xml': 'x' }, /does not contain word\/document\.xml/)
  await refused({ 'word/document.xml': '<a><b></a>' }, /word\/document\.xml: line 1.*not well-formed/)
  await refused(
    { 'word/document.xml': `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${body('&x;')}` },
    /DOCTYPE|not well-formed/,
  )
  await refused({ 'word/document.xml': body('<w:p>'.repeat(1000)) }, /nested more than 256/)
  await refused({ 'word/document.xml': Buffer.alloc(70 * 1024 * 1024, ' ') }, /unpacks to more than/)
  await assert.rejects(
    Array.fromAsync(readDocx(documentOf('PK\u0003\u0004 no zip', 'a.docx'))),
    (error) => error instanceof DocumentError,
  )
})
