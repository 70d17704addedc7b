import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOpenaiChat } from './openai-answer.ts'

const ANSWER = 'data: {"choices": [{"delta": {"content": "Crows"}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'

/** A megabyte of blank lines in small pieces, and then an answer. */
async function* afterBlankLines(answer: string) {
  for (let i = 0; i < 16_384; i++) yield Buffer.from(' \n'.repeat(32))
  for (const piece of answer.match(/[\s\S]{1,5}/g) ?? []) yield Buffer.from(piece)
}

// Reading all blank lines again with each piece takes minutes, in which the process does nothing else.
test('blank lines before an answer are not read again with each piece', { timeout: 20_000 }, async () => {
  for (const answer of [ANSWER, '{"choices": [{"message": {"content": "Crows"}, "finish_reason": "stop"}]}']) {
    const said = await Array.fromAsync(readOpenaiChat(afterBlankLines(answer)))
    assert.deepEqual(said[0], { text: 'Crows' })
  }
})
