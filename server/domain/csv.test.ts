import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from './csv.ts'

test('a line ends as RFC 4180 says, and quotes what needs quotes', () => {
  assert.equal(
    csvLine(['a', 1, null, true, 'x,y', 'say "hi"', 'two\nlines']),
    'a,1,,true,"x,y","say ""hi""","two\nlines"\r\n',
  )
})

test('what begins like a formula becomes a text, and a negative number stays a number', () => {
  assert.equal(csvLine(['=1+1', '+1', '-1', '@x', '\tx', ' =1', -1]), "'=1+1,'+1,'-1,'@x,'\tx,' =1,-1\r\n")
  assert.equal(csvLine(['=HYPERLINK("x")']), '"\'=HYPERLINK(""x"")"\r\n')
})
