import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EnricherError, MAX_ANSWER_BYTES, MAX_ANSWER_DEPTH } from '../function.ts'
import { faultOfStatus, jsonOf, retryAfterSeconds } from './answers.ts'

const faultOf = (body: string | Buffer): string => {
  try {
    jsonOf(Buffer.from(body))
  } catch (error) {
    assert.ok(error instanceof EnricherError && error.fault === 'unreadable', String(error))
    return error.message
  }
  return 'none'
}

test('answers that are not JSON of the permitted size and depth are unreadable, each with its reason', () => {
  assert.match(faultOf(''), /is empty/)
  assert.match(faultOf(' \n<!DOCTYPE html><html></html>'), /web page/)
  assert.match(faultOf('\uFEFF<?xml version="1.0"?>'), /web page/)
  assert.match(faultOf('{"a": [1, 2'), /not valid JSON/)
  assert.match(faultOf(Buffer.from([0x22, 0xff, 0x22])), /UTF-8/)
  assert.match(faultOf(`"${'x'.repeat(MAX_ANSWER_BYTES)}"`), /larger than 2 MB/)
  assert.match(faultOf('['.repeat(1_000_000)), /deeper/)
  assert.match(faultOf(`${'[{"a":'.repeat(17)}1${'}]'.repeat(17)}`), /deeper/)
  assert.equal(faultOf(`${'['.repeat(MAX_ANSWER_DEPTH)}${']'.repeat(MAX_ANSWER_DEPTH)}`), 'none')
  assert.equal(faultOf(`["${'['.repeat(100)}", "\\"${'{'.repeat(100)}"]`), 'none')
})

test('objects of answers have no prototype', () => {
  const read = jsonOf(Buffer.from('{"a": [{"__proto__": {"b": 1}}], "constructor": 2}')) as Record<string, unknown>
  assert.equal(Object.getPrototypeOf(read), null)
  assert.equal(Object.getPrototypeOf((read.a as object[])[0]), null)
  assert.equal('toString' in read, false)
  assert.equal(({} as { b?: number }).b, undefined)
})

test('statuses become faults', () => {
  const fault = (status: number) => faultOfStatus({ status, headers: {}, body: Buffer.alloc(0) }).fault
  assert.deepEqual([401, 402, 403].map(fault), ['refused', 'refused', 'refused'])
  assert.equal(fault(429), 'limited')
  assert.deepEqual([500, 503, 408].map(fault), ['unavailable', 'unavailable', 'unavailable'])
  assert.deepEqual([302, 400, 404, 422].map(fault), ['unreadable', 'unreadable', 'unreadable', 'unreadable'])
})

test('Retry-After is read as a number and as a date', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  const read = (text: string) => retryAfterSeconds({ 'retry-after': text }, now)
  assert.equal(read('120'), 120)
  assert.equal(read('Thu, 01 Jan 2026 00:01:00 GMT'), 60)
  assert.equal(read('Wed, 31 Dec 2025 00:00:00 GMT'), 0)
  assert.equal(read('soon'), undefined)
  assert.equal(retryAfterSeconds({}), undefined)
})
