import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { SAMPLES, skipWithoutSamples } from '../../../test/sample-files.ts'
import { DocumentError, documentOf } from '../document.ts'
import { type Dialect, PLAIN, readRows } from './rows.ts'
import { isFormula, tableRows } from './table.ts'

const rows = (text: string | Buffer, dialect: Dialect = PLAIN) => Array.fromAsync(readRows(documentOf(text), dialect))

const cells = async (text: string | Buffer) => (await rows(text)).map((row) => row.cells)

const refused = (reading: Promise<unknown>, reason: RegExp) =>
  assert.rejects(reading, (error) => {
    assert.ok(error instanceof DocumentError, String(error))
    assert.match(error.message, reason)
    return true
  })

test('a file may mix all kinds of line ends', async () => {
  const found = await rows('a,b\r\n1,2\n\n3,"4\r\n5"\r6,7\n')
  assert.deepEqual(
    found.map(({ line, cells: [first] }) => [line, first]),
    [
      [1, 'a'],
      [2, '1'],
      [4, '3'],
      [6, '6'],
    ],
  )
})

test('a byte order mark is not part of the first name, and UTF-16 with one is read', async () => {
  const expected = [
    ['a', 'ü'],
    ['1', '𝕏'],
  ]
  const text = '\uFEFFa,ü\n1,𝕏\n'
  assert.deepEqual(await cells(text), expected)
  assert.deepEqual(await cells(Buffer.from(text, 'utf16le')), expected)
  assert.deepEqual(await cells(Buffer.from(text, 'utf16le').swap16()), expected)
})

test('binary data is rejected', async () => {
  await refused(rows('a,b\n1,\0\n'), /^line 2: contains a NUL character/)
  await refused(rows(Buffer.alloc(64)), /NUL/)
})

test('tables in encodings other than UTF-8 are decoded', async () => {
  assert.deepEqual(await cells(Buffer.from('caf\xe9,b\n', 'latin1')), [['café', 'b']])
  assert.deepEqual(await cells(Buffer.from('a,b\n', 'utf16le')), [['a', 'b']])
})

test('an unclosed quote is rejected with its line', async () => {
  await refused(rows('a,b\n1,2\n"3,4\n5,6\n'), /at or after line 3 opens a quote that is never closed/)
})

test('a field of 5 MB is rejected, quoted or not, and so is a quote that spans the rest of a long file', async () => {
  const long = 'x'.repeat(5 * 1024 * 1024)
  await refused(rows(`a,b\n1,${long}\n`), /at or after line 2 exceeds 1048576 bytes/)
  await refused(rows(`a,b\n1,"${long}"\n`), /exceeds/)
  await refused(rows(`a,b\n1,"2\n${'3,4\n'.repeat(500_000)}`), /a closing quote may be missing/)
})

test('a million delimiters in one row are rejected or read, but do not block the server', async () => {
  const [row] = await rows(','.repeat(900_000).concat('x'))
  assert.equal(row?.cells.length, 900_001)
})

const table = (text: string | Buffer) => Array.fromAsync(tableRows(documentOf(text), PLAIN, { hasHeader: true }))

test('an empty file has no rows', async () => {
  for (const text of ['', '\n\n', '\uFEFF', ' , \n']) await refused(table(text), /no rows/)
  assert.equal((await table('a,b')).length, 1)
})

test('a file in which half of the rows have the wrong width is not a table', async () => {
  await refused(
    table('a,b,c\n1\n1,2,3\n'),
    /line 2 has 1 cell instead of 3\. 1 of 2 rows have the wrong number of cells/,
  )
  const rows = await table('a,b,c\n1\n1,2,3\n4,5,6,,\n')
  assert.deepEqual(
    rows.map(({ fault }) => fault),
    [undefined, 'has 1 cell instead of 3', undefined, undefined],
  )
})

test('any CSV survives a round trip, in chunks of any size', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', "'", ' ', '\u{1f426}') })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 4 })),
      fc.integer({ min: 1, max: 9 }),
      async (given, size) => {
        const wanted = given.filter((row) => row.some((text) => text.trim() !== ''))
        const text = given.map((row) => `${row.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')}\r\n`).join('')
        const bytes = Buffer.from(text)
        const document = {
          ...documentOf(bytes),
          async *open() {
            for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
          },
        }
        const found = await Array.fromAsync(readRows(document, PLAIN))
        assert.deepEqual(
          found.map((row) => row.cells),
          wanted,
        )
      },
    ),
  )
})

test('the ragged sample is rejected', { skip: skipWithoutSamples }, async () => {
  await refused(table(readFileSync(join(SAMPLES, 'negative/ragged.csv'))), /line 2 has 2 cells instead of 3\. 2 of 2/)
})

test('spreadsheet formulas are rejected with their line, and similar text is not', async () => {
  const formulas = [
    '=1+1',
    '=HYPERLINK("http://evil.example","x")',
    "=cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    '@SUM(1+1)',
    '+SUM(1)',
    ' =DDE("cmd";"/C calc";"x")',
  ]
  for (const formula of formulas) assert.ok(isFormula(formula), formula)
  const plain = ['@handle', '+31 20 123 4567', '-1.5', '- a point (of a list)', '== heading ==', 'a=b(c)', '-', '=', '']
  for (const text of plain) assert.ok(!isFormula(text), text)
  const table = tableRows(documentOf('a,b\n1,2\n3,=1+1\n'), PLAIN, { hasHeader: true })
  await refused(Array.fromAsync(table), /^line 3: "=1\+1" is a spreadsheet formula/)
  assert.ok(!isFormula(`=|${'|'.repeat(1_000_000)}`))
})
