import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { ApiError, missing } from '../../engine/errors.ts'
import { serverSetting } from '../../settings/server.ts'
import { readSetting } from '../../settings/setting.ts'
import type { Assistant } from '../asking/assistant.ts'
import { defineOperation } from '../operations/operation.ts'
import { newMark } from '../prompting/untrusted.ts'
import { answerSchema } from './answer.ts'
import { attempt, chooseAttempt } from './attempt.ts'
import { MOST_FIELDS, messagesFor, repairFor } from './prompt.ts'
import { SEARCHED, type SearchableField, type SearchableFields, searchableFields } from './searchable-fields.ts'
import { NO_VOCABULARY, readVocabulary, type Vocabulary } from './vocabulary.ts'

const MAX_QUESTION_LENGTH = 2000
const MAX_TOKENS = 3000
const MAX_EXPLANATION_LENGTH = 2000
const MAX_REPORTED = 100

const part = z.object({ clause: z.string(), reason: z.string() })

export const nlpToSearch = defineOperation({
  name: 'nlp-to-search',
  feature: 'nlp_to_search',
  doc: 'Translate a question to a query of the search, without running it',
  body: z.object({
    query: z.string().trim().min(1).max(MAX_QUESTION_LENGTH).describe('The question.'),
    resource: z.enum(SEARCHED).default('entities').describe('What to search; observables need `read extracts`.'),
  }),
  example: { query: 'indicators about phishing from last week' },
  result: z.object({
    query: z
      .string()
      .nullable()
      .describe('In the query language; null if nothing in the question can be searched for.'),
    explanation: z.string().describe('What the query looks for, in words.'),
    resource: z.enum(SEARCHED),
    total_count: z.int().nullable().describe('How many objects the query finds for you, exact up to 10,000.'),
    dropped: z.array(part).describe('Parts of the question that are not in the query, with the reasons.'),
    corrected: z.array(part).describe('What the model had wrong at first, and corrected.'),
  }),
  run: async function* (ctx, assistant, { query, resource }) {
    if (resource === 'observables' && !ctx.caller.permissions.has('read extracts')) throw missing(['read extracts'])
    const { timezone } = await readSetting(ctx.db, serverSetting)
    const asked = { at: Date.now(), zone: timezone ?? 'UTC' }
    const { fields, vocabulary } = await readGround(ctx, assistant, resource)
    const mark = newMark()
    const messages = messagesFor({ query, searched: resource, fields, vocabulary, asked, mark })
    const schema = answerSchema(offered(fields, vocabulary))
    const ask = async (more: typeof messages) => {
      const question = { messages: [...messages, ...more], maxTokens: MAX_TOKENS }
      return attempt(ctx, await assistant.data(question, 'search', schema), { searched: resource, fields, asked })
    }

    yield { event: 'progress', data: { step: 'asking' } }
    const first = await ask([])
    if (first.faults.length > 0) yield { event: 'progress', data: { step: 'repairing' } }
    const second =
      first.faults.length > 0 ? await ask(repairFor(mark, first.answer, first.faults)).catch(unlessRefused) : undefined
    const { chosen, dropped, corrected } = chooseAttempt(first, second)
    return {
      query: chosen.query,
      explanation: explain(resource, chosen.query === null ? null : chosen.words),
      resource,
      total_count: chosen.total,
      dropped: bounded(dropped),
      corrected: bounded(corrected),
    }
  },
})

/** What was found before a repair is still of use if it fails. */
function unlessRefused(error: unknown): undefined {
  if (error instanceof ApiError && (error.status === 424 || error.status === 429)) return undefined
  throw error
}

async function readGround(ctx: Context, { ready }: Assistant, resource: (typeof SEARCHED)[number]) {
  const isEntities = resource === 'entities'
  const [fields, vocabulary] = await Promise.all([
    searchableFields(ctx, resource),
    isEntities ? readVocabulary(ctx, ready.ceiling) : NO_VOCABULARY,
  ])
  const found = vocabulary.places.filter(({ name }) => !fields.has(name))
  const places = found.map(
    ({ name, type }): SearchableField => ({ name, paths: [name], kind: type === 'date' ? type : 'any', isAlias: true }),
  )
  return {
    fields: new Map([...fields, ...places.map((field) => [field.name, field] as const)]),
    vocabulary: { ...vocabulary, places: found },
  }
}

/** The names in the form of the answer. */
const offered = (fields: SearchableFields, { places }: Vocabulary): string[] => {
  const all = [...fields.values()].filter(({ isAlias }) => !isAlias)
  const own = all.filter(({ isOwn }) => isOwn).slice(0, MOST_FIELDS)
  return [...all.filter(({ isOwn }) => !isOwn), ...own, ...places.slice(0, MOST_FIELDS)].map(({ name }) => name)
}

function explain(resource: string, words: string | null): string {
  if (words === null) return 'Nothing in the question can be searched for.'
  const text = `Finds ${resource} where ${words}`
  return text.length < MAX_EXPLANATION_LENGTH ? `${text}.` : `${text.slice(0, MAX_EXPLANATION_LENGTH)} …`
}

function bounded(parts: readonly z.output<typeof part>[]): z.output<typeof part>[] {
  const more = parts.length - MAX_REPORTED
  const first = parts.slice(0, MAX_REPORTED)
  return more > 0 ? [...first, { clause: `${more} more parts`, reason: 'They are wrong in ways like these.' }] : first
}
