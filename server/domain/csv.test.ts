import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvLine, readCell } from './csv.ts'

test('a line follows RFC 4180, with quotes where needed', () => {
  assert.equal(
    csvLine(['a', 1, null, true, 'x,y', 'say "hi"', 'two\nlines']),
    'a,1,,true,"x,y","say ""hi""","two\nlines"\r\n',
  )
})

test('text that starts like a formula is escaped, and a negative number stays a number', () => {
  assert.equal(csvLine(['=1+1', '+1', '-1', '@x', '\tx', ' =1', -1]), "'=1+1,'+1,'-1,'@x,'\tx,' =1,-1\r\n")
  assert.equal(csvLine(['=HYPERLINK("x")']), '"\'=HYPERLINK(""x"")"\r\n')
})

test('any text survives a round trip through a cell', () => {
  const characters = fc.constantFrom("'", '=', '+', '-', '@', ' ', '\t', '\r', '\n', 'a', '"', ',', '1')
  const texts = fc.oneof(
    fc.string(),
    fc.array(characters).map((list) => list.join('')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const line = csvLine([text]).slice(0, -2)
      const raw = line.startsWith('"') ? line.slice(1, -1).replaceAll('""', '"') : line
      assert.doesNotMatch(raw, /^\s*[=+\-@\t\r]/)
      assert.equal(readCell(raw), text)
    }),
  )
})
