import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChatResult, coloursOf, newTurn, requestOf, type Turn, withEvent } from './conversation.ts'

const turn = (id: number, more: Partial<Turn> = {}): Turn => ({ ...newTurn(id, `Question ${id}`, {}), ...more })

test('a turn grows with the tokens and citations of its stream', () => {
  const cited = { n: 1, entity: '/api/v2/entities/x', title: 'Heron', quote: 'It flies.' }
  const grown = [
    ['start', {}],
    ['token', { text: 'It ' }],
    ['token', { text: 'flies [1]' }],
    ['citation', cited],
  ].reduce((each, [event, data]) => withEvent(each, event as string, data as object), turn(1))
  assert.deepEqual([grown.answer, grown.citations, grown.state], ['It flies [1]', [cited], 'answering'])
})

test('a question is sent with the page and with the answers so far, also stopped ones, but not with failed ones', () => {
  const before = [
    turn(1, { answer: 'Yes.' }),
    turn(2, { state: 'failed' }),
    turn(3, { state: 'stopped', answer: 'Per' }),
  ]
  assert.deepEqual(requestOf(before, { question: 'Why?', context: { entity: 'x' } }), {
    query: 'Why?',
    chat_history: [
      { role: 'user', content: 'Question 1' },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'Question 3' },
      { role: 'assistant', content: 'Per' },
    ],
    entity: 'x',
    include_prompt: true,
  })
})

test('an answer is as restricted as the strictest one before it', () => {
  const coloured = (id: number, tlp_color: string) => turn(id, { result: { tlp_color } as ChatResult })
  assert.deepEqual(coloursOf([coloured(1, 'GREEN'), turn(2), coloured(3, 'RED'), coloured(4, 'WHITE')]), [
    'GREEN',
    undefined,
    'RED',
    'RED',
  ])
})
