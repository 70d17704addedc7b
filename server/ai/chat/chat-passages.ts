import { tlpRank } from '../../domain/tlp.ts'
import { hasFreeWords } from '../../domain/typed-query.ts'
import type { Context } from '../../engine/context.ts'
import { ApiError, badRequest } from '../../engine/errors.ts'
import { fetchRows } from '../../engine/fetch.ts'
import type { Id } from '../../engine/reference.ts'
import { resourceOf } from '../../engine/select.ts'
import { requireVisible } from '../../intelligence/relational/body-references.ts'
import type { Assistant } from '../asking/assistant.ts'
import { type InputEntity, inputEntity } from '../inputs/input-entities.ts'
import { findPassages, type Passage } from '../retrieval/find-passages.ts'
import { searchEntities } from '../retrieval/search-entities.ts'
import { partOfEntity, readableText } from './entity-text.ts'

interface Wanted {
  /** What is searched for. */
  readonly usedQuery: string
  /** The entity of the page. */
  readonly entity?: Id | null | undefined
  /** The query of the page. */
  readonly search?: string | null | undefined
}

interface ChatPassages {
  readonly passages: readonly Passage[]
  readonly isSemantic: boolean
  /** What was left out, in words. */
  readonly notes: readonly string[]
}

const MAX_PASSAGES = 12
const MAX_PIECES = 4
const MAX_SEARCHED = 5

/** What a question is answered from: first the page that the caller looks at, then what is found. All of it is admitted. */
export async function chatPassages(ctx: Context, assistant: Assistant, wanted: Wanted): Promise<ChatPassages> {
  const { usedQuery, entity, search } = wanted
  const signal = ctx.signal ?? new AbortController().signal
  const own = entity === null || entity === undefined ? undefined : await readEntity(ctx, entity)
  if (own) assistant.admit([own])
  const searched = search ? await searchPage(ctx, search) : { entities: [], total: 0 }
  const found = await findPassages(ctx, {
    query: usedQuery,
    limit: MAX_PASSAGES,
    signal,
    ceiling: assistant.ready.ceiling,
  })

  const ownPart = own && partOfEntity(own, usedQuery, MAX_PIECES)
  const before = [
    ...(own && ownPart ? ownPart.texts.map((text) => ({ entity: own, text })) : []),
    ...searched.entities
      .filter(({ id }) => id !== own?.id)
      .map((each) => ({ entity: each, text: partOfEntity(each, usedQuery, 1).texts[0] ?? '' })),
  ]
  const known = new Set(before.map((passage) => passage.entity.id))
  const all = [
    ...before,
    ...found.passages
      .filter((passage) => !known.has(passage.entity.id))
      .map((passage) => ({ ...passage, text: readableText(passage.text) })),
  ]
  const { passages, notes } = admitted(assistant, all)
  const isCut = own && ownPart && ownPart.pieceCount > ownPart.texts.length
  return {
    passages: passages.slice(0, MAX_PASSAGES),
    isSemantic: found.isSemantic,
    notes: [
      ...(isCut
        ? [
            `'${own.title}' is long: ${MAX_PIECES} of its ${ownPart.pieceCount} parts were used, those nearest to the question.`,
          ]
        : []),
      ...(searched.total > searched.entities.length
        ? [`The first ${searched.entities.length} of the ${searched.total} results of the search were used.`]
        : []),
      ...notes,
    ],
  }
}

async function readEntity(ctx: Context, id: Id): Promise<InputEntity | undefined> {
  await requireVisible(ctx, 'entities', [{ at: 'data.entity', id }])
  return (await fetchRows(ctx, resourceOf(ctx, 'entities'), [id])).map(inputEntity)[0]
}

/** The first results of the page's query, in the order in which the page shows them. */
async function searchPage(ctx: Context, search: string) {
  try {
    return await searchEntities(ctx, search, hasFreeWords(search) ? '-_score' : '-last_updated_at', MAX_SEARCHED)
  } catch (error) {
    // The field has another name here than in lists.
    if (!(error instanceof ApiError) || error.status !== 400) throw error
    throw badRequest(error.details.map((detail) => detail.replace(/^(?:query: )?/, 'data.search: ')))
  }
}

/** Leaves out what is too restricted for the provider and says so. If nothing else was found, that is refused. */
function admitted(assistant: Assistant, all: readonly Passage[]): Pick<ChatPassages, 'passages' | 'notes'> {
  const { ceiling, provider } = assistant.ready
  const isFree = ({ entity: { tlp } }: Passage): boolean => tlpRank(tlp) <= tlpRank(ceiling)
  const passages = all.filter(isFree)
  const restricted = [...new Map(all.filter((each) => !isFree(each)).map(({ entity }) => [entity.id, entity])).values()]
  assistant.admit(passages.length > 0 ? passages.slice(0, MAX_PASSAGES).map(({ entity }) => entity) : restricted)
  if (restricted.length === 0) return { passages, notes: [] }
  const named = restricted.map(({ title, tlp }) => `'${title}' (TLP:${tlp})`).join(', ')
  return { passages, notes: [`${provider} may receive at most TLP:${ceiling}. Not used: ${named}.`] }
}
