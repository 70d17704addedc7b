import type { Fault } from './fault.ts'

const CHAT = ['server/ai/chat/chat.test.ts']
const CITATIONS = ['server/ai/grounding/citations.test.ts']

const RESULTS = ['web/ai/strictest.test.ts', 'web/ai/summaries/content/content.test.ts']

/** Answers of the assistant, and of what else asks language models. */
export const assistantFaults: readonly Fault[] = [
  {
    breaks: 'a refined text is as restricted as its own inputs alone',
    file: 'web/ai/strictest.ts',
    from: 'strictestOf([earlier.tlp_color, later.tlp_color])',
    to: 'later.tlp_color',
    tests: RESULTS,
  },
  {
    breaks: 'a prompt is offered for entities of any type',
    file: 'web/ai/summaries/content/content.ts',
    from: 'types)].filter((type) => !entity_types.includes(type))',
    to: 'types)].filter(() => false)',
    tests: RESULTS,
  },
  {
    breaks: 'the budget of one user is compared with what all users have used',
    file: 'web/settings/ai/usage.ts',
    from: 'JSON.stringify([nameOf(row), row.provider])',
    to: 'JSON.stringify([row.provider])',
    tests: ['web/settings/ai/usage.test.ts'],
  },
  {
    breaks: 'a key is removed when its provider is saved without entering it again',
    file: 'web/settings/ai/provider-draft.ts',
    from: "draft.api_key === '' ? stored : draft.api_key",
    to: "draft.api_key === '' ? null : draft.api_key",
    tests: ['web/settings/ai/provider-draft.test.ts'],
  },
  {
    breaks: 'an answer cites passages that were not given',
    file: 'server/ai/grounding/citations.ts',
    from: 'numbers.filter((n) => n >= 1 && n <= passageCount)',
    to: 'numbers.filter((n) => n >= 1)',
    tests: CITATIONS,
  },
  {
    breaks: 'a citation that arrives in two pieces is not read',
    file: 'server/ai/grounding/citations.ts',
    from: "if (held === '' || (isOpen && !isEnd)) return",
    to: "if (held === '') return",
    tests: CITATIONS,
  },
  {
    breaks: 'a quote is the first sentence of its passage, whatever it says',
    file: 'server/ai/grounding/nearest.ts',
    from: 'sentences[scores.indexOf(Math.max(...scores))]',
    to: 'sentences[0]',
    tests: CITATIONS,
  },
  {
    breaks: 'the assistant sends what is too restricted for the provider',
    file: 'server/ai/chat/chat-passages.ts',
    from: 'const passages = all.filter(isFree)',
    to: 'const passages = all',
    tests: CHAT,
  },
  {
    breaks: 'messages of the conversation so far are sent as if they were trusted',
    file: 'server/ai/chat/history.ts',
    from: 'untrusted(mark, { name: NAMES[role], text: content })',
    to: '({ role, content })',
    tests: CHAT,
  },
  {
    breaks: 'an answer of the assistant contains links and images',
    file: 'server/ai/chat/chat.ts',
    from: 'links.read(withoutUnseen(value))',
    to: 'withoutUnseen(value)',
    tests: CHAT,
  },
  {
    breaks: 'a summary contains links and images',
    file: 'server/ai/operations/spoken.ts',
    from: 'text: withoutLinks(made.text)',
    to: 'text: made.text',
    tests: ['server/ai/extraction/hostile-reports.test.ts'],
  },
  {
    breaks: 'an answer carries data in characters that are not shown',
    file: 'server/ai/chat/chat.ts',
    from: 'links.read(withoutUnseen(value))',
    to: 'links.read(value)',
    tests: CHAT,
  },
  {
    breaks: 'the model is asked although nothing was found',
    file: 'server/ai/chat/chat.ts',
    from: 'if (passages.length === 0) {',
    to: 'if (passages.length < 0) {',
    tests: CHAT,
  },
]
