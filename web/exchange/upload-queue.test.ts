import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settled } from 'node:timers/promises'
import { createUploadQueue } from './upload-queue.ts'

const file = (name: string) => ({ name, size: 10 })

function begin() {
  const sent: string[] = []
  const open = new Map<
    string,
    { resolve: (made: string) => void; reject: (error: Error) => void; signal: AbortSignal }
  >()
  const queue = createUploadQueue<{ name: string; size: number }, string>((made) => sent.push(made))
  const send = ({ name }: { name: string }, onProgress: (share: number) => void, signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      onProgress(0.5)
      open.set(name, { resolve, reject, signal })
    })
  const states = () => queue.list().map(({ name, state }) => `${name} ${state}`)
  return { queue, send, open, sent, states }
}

test('two files are uploaded at a time, and the next one starts when one has ended', async () => {
  const { queue, send, open, sent, states } = begin()
  queue.add(['a', 'b', 'c'].map(file), send)
  assert.deepEqual(states(), ['a sending', 'b sending', 'c waiting'])
  assert.equal(queue.list()[0]?.progress, 0.5)
  open.get('a')?.resolve('made a')
  open.get('b')?.reject(new Error('refused'))
  await settled()
  assert.deepEqual(states(), ['a sent', 'b refused', 'c sending'])
  assert.deepEqual(sent, ['made a'])
  assert.equal(queue.isBusy(), true)
})

test('removing an upload cancels it and starts the next one', async () => {
  const { queue, send, open, states } = begin()
  queue.add(['a', 'b', 'c'].map(file), send)
  queue.remove(queue.list()[0]?.id ?? 0)
  assert.equal(open.get('a')?.signal.aborted, true)
  open.get('a')?.reject(new Error('stopped'))
  await settled()
  assert.deepEqual(states(), ['b sending', 'c sending'])
})

test('clearing the list removes ended uploads and keeps active ones', async () => {
  const { queue, send, open, states } = begin()
  let reported = 0
  queue.subscribe(() => {
    reported += 1
  })
  queue.add(['a', 'b'].map(file), send)
  open.get('a')?.resolve('a')
  await settled()
  queue.tidy()
  assert.deepEqual(states(), ['b sending'])
  assert.ok(reported > 0)
})
