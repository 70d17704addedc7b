import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DocumentError, documentOf } from '../document.ts'
import type { Finding } from '../finding.ts'
import { MAIN_THREAD_LIMIT, textReader } from './in-thread.ts'
import { TEXT_READERS, type TextFormat } from './text-readers.ts'

const line = (i: number) =>
  `The server at host-${i % 50}.example.org (192.0.2.${i % 200}) was seen; see hxxp://bad[.]org/${i % 20}.\n`
const prose = Array.from({ length: 1_500 }, (_, i) => line(i)).join('')

const mail = [
  'From: Ann <ann@example.org>',
  'Subject: List',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain',
  '',
  prose,
  '--b',
  'Content-Type: application/octet-stream; name=a.bin',
  'Content-Disposition: attachment; filename=a.bin',
  '',
  'some bytes',
  '--b--',
].join('\r\n')

const LARGE: Partial<Record<TextFormat, string>> = {
  text: prose,
  html: `<html><title>Page</title><p>${prose}</p></html>`,
  markdown: `# Heading\n\n${prose}`,
  email: mail,
}

for (const [format, text] of Object.entries(LARGE) as [TextFormat, string][]) {
  test(`a large ${format} document gives the same findings in a thread, and does not block other work`, async () => {
    assert.ok(text.length > MAIN_THREAD_LIMIT)
    const here = await Array.fromAsync((await TEXT_READERS[format]())(documentOf(text, 'large')))
    let turns = 0
    const counting = setInterval(() => turns++, 5)
    const there: Finding[] = await Array.fromAsync(textReader(format)(documentOf(text, 'large')))
    clearInterval(counting)
    assert.deepEqual(there, here)
    assert.ok(turns > 5, `${turns} turns`)
  })
}

test('a large document that cannot be read is rejected with the reason', async () => {
  const bytes = Buffer.concat([Buffer.from(prose), Buffer.from([0]), Buffer.from(prose)])
  await assert.rejects(
    Array.fromAsync(textReader('text')(documentOf(bytes))),
    (error) => error instanceof DocumentError && /NUL character/.test(error.message),
  )
})
