import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { test } from 'node:test'
import fc from 'fast-check'
import { FORM, formOf } from '../../../test/form.ts'
import { readForm } from './multipart.ts'

/** Reads a whole file, and records its outcome. */
function taker() {
  const parts: Buffer[] = []
  const seen = { bytes: Buffer.alloc(0), isDisposed: false, fault: '' }
  const take = async (content: AsyncIterable<Buffer>) => {
    try {
      for await (const part of content) parts.push(part)
    } catch (error) {
      seen.fault = (error as Error).message
      throw error
    }
    seen.bytes = Buffer.concat(parts)
    return {
      [Symbol.asyncDispose]: async () => {
        seen.isDisposed = true
      },
    }
  }
  return { take, seen }
}

test('a form is read the same however its bytes are split', async () => {
  const value = Buffer.from('\r\n--a-boundary\r\n\0\xff--', 'latin1')
  const form = formOf([
    { name: 'file', value, filename: 'x.bin' },
    { name: 'name', value: 'é' },
  ])
  const cuts = fc.array(fc.integer({ min: 1, max: form.length }), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(cuts, async (places) => {
      const ends = [...new Set([...places, form.length])].sort((a, b) => a - b)
      const chunks = ends.map((end, i) => form.subarray(ends[i - 1] ?? 0, end))
      const { take, seen } = taker()
      const { fields, file } = await readForm(Readable.from(chunks, { objectMode: false }), FORM, take)
      assert.deepEqual([fields.get('name'), file?.name, seen.isDisposed], [['é'], 'x.bin', false])
      assert.ok(seen.bytes.equals(value))
    }),
    { numRuns: 50 },
  )
})

test('a client that sends nothing for too long gets a 408, and its upload is discarded', async () => {
  const body = new PassThrough()
  body.write(formOf([{ name: 'file', value: 'half', filename: 'x' }], false))
  const { take, seen } = taker()
  await assert.rejects(readForm(body, FORM, take, 30), { status: 408 })
  assert.match(seen.fault, /did not arrive in time/)
})

test('the file is discarded if the rest of the form is refused', async () => {
  const { take, seen } = taker()
  const form = formOf([
    { name: 'file', value: 'x', filename: 'x' },
    { name: 'other', value: 'x', filename: 'y' },
  ])
  await assert.rejects(readForm(Readable.from([form]), FORM, take), { status: 400 })
  assert.ok(seen.isDisposed || seen.fault !== '')
})
