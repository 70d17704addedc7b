import type { Fault } from './fault.ts'

const RETRIEVAL = ['server/ai/retrieval/retrieval.test.ts']
const EMBEDDING = ['server/ai/retrieval/embedding.test.ts']
const CHAT = ['server/ai/chat/chat.test.ts']

/** What the assistant finds, and what is sent for that. */
export const retrievalFaults: readonly Fault[] = [
  {
    breaks: 'a search by meaning looks at passages that the reader does not see',
    file: 'server/ai/retrieval/by-meaning.ts',
    from: 'where c.space = ${id} and ${isSeen(sql`c.vis`)}',
    to: 'where c.space = ${id}',
    tests: RETRIEVAL,
  },
  {
    breaks: 'a search by words looks at passages that the reader does not see',
    file: 'server/ai/retrieval/by-words.ts',
    from: ' and ${isSeen(sql`p.vis`)}',
    to: '',
    tests: RETRIEVAL,
  },
  {
    breaks: 'passages of an entity that became too restricted for the provider are given until they are refreshed',
    file: 'server/ai/retrieval/find-passages.ts',
    from: ' || tlpRank(entity.tlp) > tlpRank(ceiling)',
    to: '',
    tests: RETRIEVAL,
  },
  {
    breaks: 'the end of a text stays in passages after it was removed',
    file: 'server/ai/retrieval/refresh-passages.ts',
    from: 'and p.part >= i.parts',
    to: 'and p.part > i.parts',
    tests: RETRIEVAL,
  },
  {
    breaks: 'passages keep the text from before a change',
    file: 'server/ai/retrieval/refresh-passages.ts',
    from: 'where (p.vis, p.hash) is distinct from (excluded.vis, excluded.hash)',
    to: 'where p.vis <> excluded.vis',
    tests: RETRIEVAL,
  },
  {
    breaks: 'codes keep the colour from before it was raised',
    file: 'server/ai/retrieval/refresh-passages.ts',
    from: 'where c.passage = s.id and c.vis <> s.vis',
    to: 'where c.passage = s.id and c.vis > s.vis',
    tests: RETRIEVAL,
  },
  {
    breaks: 'the vectors in use are removed as soon as another model is selected',
    file: 'server/ai/retrieval/spaces.ts',
    from: 'delete from passage_spaces where not is_current and (url, model)',
    to: 'delete from passage_spaces where (url, model)',
    tests: RETRIEVAL,
  },
  {
    breaks: 'the vectors of another model are used before they are complete',
    file: 'server/ai/retrieval/embed-passages.ts',
    from: 'await sql`update passage_index set failures = 0, last_error = null where failures > 0`.execute(db)',
    to: 'await switchTo(db, space)',
    tests: RETRIEVAL,
  },
  {
    breaks: 'the same words are given twice',
    file: 'server/ai/retrieval/find-passages.ts',
    from: 'return distinct(passages).slice(0, limit)',
    to: 'return passages.slice(0, limit)',
    tests: RETRIEVAL,
  },
  {
    breaks: 'passages of an entity that became too restricted are embedded until they are refreshed',
    file: 'server/ai/retrieval/embed-passages.ts',
    from: ' and ${rankOf(sql`e.vis`)} <= ${ceiling}',
    to: '',
    tests: EMBEDDING,
  },
  {
    breaks: 'passages are embedded without consent',
    file: 'server/ai/retrieval/setup.ts',
    from: 'ai_providers_usage_consented !== true || ',
    to: '',
    tests: EMBEDDING,
  },
  {
    breaks: 'a query that quotes a restricted entity is sent to every provider',
    file: 'server/ai/retrieval/find-passages.ts',
    from: 'embedder && tlpRank(quotedTlp) <= tlpRank(embedder.ceiling)',
    to: 'embedder !== undefined',
    tests: EMBEDDING,
  },
  {
    breaks: 'the budget of users ends the index',
    file: 'server/ai/retrieval/embed-passages.ts',
    from: "feature: 'passages', budget: null }",
    to: "feature: 'passages' }",
    tests: EMBEDDING,
  },
  {
    breaks: 'earlier answers are sent to a provider that may not receive their sources',
    file: 'server/ai/chat/answer-sources.ts',
    from: '(sources.get(i) ?? []).every((id) => free.has(id))',
    to: 'i >= 0',
    tests: CHAT,
  },
  {
    breaks: 'an answer that was stopped is not recognised',
    file: 'server/ai/chat/answer-sources.ts',
    from: 'for (let length = SHORTEST; length < text.length; length *= 2) lengths.push(length)',
    to: '',
    tests: CHAT,
  },
  {
    breaks: 'a kept answer is given to readers who do not see what it was made from',
    file: 'server/ai/summaries/cached.ts',
    from: 'texts.map(({ name, text }) => [name, text]), ids]',
    to: 'texts.length]',
    tests: ['server/ai/summaries/summaries.test.ts'],
  },
]
