import { htmlText } from '../../formats/text/html-text.ts'
import { nearness } from '../grounding/nearest.ts'
import type { InputEntity } from '../inputs/input-entities.ts'
import { splitText } from '../prompting/split.ts'
import { cleaned } from '../prompting/untrusted.ts'

const PIECE_LENGTH = 1_500

const isHtml = (text: string): boolean => /^\s*<(?:!doctype|[a-z][a-z\d]*[\s/>])/i.test(text)

/** A text as its readers see it, so that quotes of it can be found again. */
export const readableText = (text: string): string => cleaned(isHtml(text) ? htmlText(text).text : text).trim()

interface Part {
  readonly texts: readonly string[]
  /** How many pieces the whole text has. */
  readonly pieceCount: number
}

/** What is said about an entity: all of it, or the pieces that are nearest to a question, in their order. */
export function partOfEntity(entity: InputEntity, question: string, mostPieces: number): Part {
  const pieces = splitText(readableText(entity.description), PIECE_LENGTH)
  const scores = nearness(pieces, question)
  const chosen = pieces
    .map((piece, i) => ({ piece, i, score: scores[i] ?? 0 }))
    .toSorted((a, b) => b.score - a.score || a.i - b.i)
    .slice(0, mostPieces)
    .toSorted((a, b) => a.i - b.i)
  const [first = '', ...rest] = chosen.map(({ piece }) => piece.trim())
  return { texts: [[factsOf(entity), first].filter(Boolean).join('\n\n'), ...rest], pieceCount: pieces.length }
}

const MAX_LISTED = 30

/** What the fields of an entity say that descriptions leave out. */
function factsOf({ row }: InputEntity): string {
  const { data, meta } = row as unknown as Record<'data' | 'meta', Readonly<Record<string, unknown>>>
  const facts = {
    Aliases: data.aliases ?? data.alias,
    Confidence: data.confidence,
    Status: data.status,
    Tags: meta.tags,
    Observed: dayOf(meta.estimated_observed_time),
    'Threat start': dayOf(meta.estimated_threat_start_time),
    'Threat end': dayOf(meta.estimated_threat_end_time),
  }
  return Object.entries(facts)
    .flatMap(([name, value]) => {
      const text = inWords(value)
      return text === '' ? [] : [`${name}: ${text}.`]
    })
    .map(cleaned)
    .join('\n')
}

const dayOf = (time: unknown): string => (typeof time === 'string' ? time.slice(0, 10) : '')

function inWords(value: unknown): string {
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return ''
  const listed = value.filter((each) => typeof each === 'string')
  const more = listed.length > MAX_LISTED ? ` and ${listed.length - MAX_LISTED} more` : ''
  return `${listed.slice(0, MAX_LISTED).join(', ')}${more}`
}
