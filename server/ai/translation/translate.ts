import { z } from 'zod'
import { LANGUAGES } from '../../domain/languages.ts'
import { ApiError } from '../../engine/errors.ts'
import type { Assistant } from '../asking/assistant.ts'
import type { Message } from '../calling/question.ts'
import { cleanAnswer } from '../grounding/clean-answer.ts'
import type { Progress } from '../operations/operation.ts'
import { aboutMark, newMark, untrusted } from '../prompting/untrusted.ts'
import { placeholdersIn } from './protected.ts'

export type Language = (typeof LANGUAGES)[number]

/** What is to be translated. */
export interface Task {
  readonly segments: readonly string[]
  readonly token: string
  /** Placeholders that must keep their order. */
  readonly tags: ReadonlySet<string>
  readonly target: Language
  readonly source: Language | undefined
  /** What the placeholders stand for, in our words. */
  readonly originals: ReadonlyMap<string, string>
}

/** Characters that are sent at once. */
const PIECE_LENGTH = 6_000
const MIN_TOKENS = 1_000

const answer = z.object({
  source_language: z.enum(LANGUAGES).nullable(),
  segments: z.array(z.object({ n: z.int(), text: z.string() })),
})

interface Numbered {
  readonly n: number
  readonly text: string
}

/** Translates segments piece by piece. What comes back incomplete is asked for once more, and refused then. */
export async function* translateSegments(
  assistant: Assistant,
  task: Task,
): AsyncGenerator<Progress, { readonly translations: readonly string[]; readonly language: Language | null }> {
  const translations: string[] = []
  let language: Language | null = task.source ?? null
  const numbered = task.segments.map((text, i) => ({ n: i + 1, text }))
  const pieces = piecesOf(numbered)
  for (const [i, piece] of pieces.entries()) {
    const first = await ask(assistant, task, piece, [])
    language ??= first.language
    keep(first)
    const faulty = piece.filter(({ n }) => translations[n - 1] === undefined)
    if (faulty.length > 0) {
      keep(await ask(assistant, task, faulty, [...first.faults.values()]))
      const lost = faulty.filter(({ n }) => translations[n - 1] === undefined)
      if (lost.length > 0) throw notKept(task, lost)
    }
    yield { event: 'progress', data: { done: i + 1, total: pieces.length } }
  }
  return { translations, language }

  function keep({ texts }: Round): void {
    for (const [n, text] of texts) translations[n - 1] = text
  }
}

interface Round {
  readonly texts: ReadonlyMap<number, string>
  readonly faults: ReadonlyMap<number, string>
  readonly language: Language | null
}

async function ask(
  assistant: Assistant,
  task: Task,
  piece: readonly Numbered[],
  faults: readonly string[],
): Promise<Round> {
  const mark = newMark()
  const text = piece.map(({ n, text }) => `[[${task.token}#${n}]]\n${text}`).join('\n')
  const messages: Message[] = [
    { role: 'system', content: instructionFor(task, mark) },
    untrusted(mark, { name: 'The segments', text }),
    ...repair(faults),
  ]
  const maxTokens = Math.ceil(text.length * 1.5) + MIN_TOKENS
  const { segments, source_language } = await assistant.data({ messages, maxTokens }, 'translation', answer)
  const texts = new Map<number, string>()
  const found = new Map<number, string>()
  for (const { n, text: original } of piece) {
    const said = segments.find((each) => each.n === n)?.text ?? ''
    const translated = onOneLine(cleanAnswer(said, mark))
    const fault = faultIn(task, original, translated)
    if (fault) found.set(n, `segment ${n}: ${fault}`)
    else texts.set(n, translated)
  }
  return { texts, faults: found, language: source_language }
}

const onOneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')

const instructionFor = ({ target, source, token }: Task, mark: string): string =>
  `You translate cyber threat intelligence${source ? ` from ${source}` : ''} into ${target}. The data consists of numbered segments: a line ` +
  `[[${token}#1]] precedes segment 1. Translate each segment completely and return it with its number, without that line. Names such as ` +
  `[[${token}-7]] stand for values, names, code and tags: repeat each of them exactly, once, at its place in the translated sentence. Keep ` +
  `Markdown as it is and add no other markup. Line ends have no meaning. Leave out nothing, explain nothing and add nothing. ${aboutMark(mark)}`

const repair = (faults: readonly string[]): Message[] =>
  faults.length === 0
    ? []
    : [
        {
          role: 'user',
          content: `A first translation had these faults: ${faults.slice(0, 20).join('; ')}. Avoid them.`,
        },
      ]

/** Why a translated segment cannot be used. */
function faultIn({ token, tags }: Task, original: string, translated: string): string | undefined {
  if (translated === '') return 'it is missing'
  const [wanted, found] = [placeholdersIn(original, token), placeholdersIn(translated, token)]
  const lost = wanted.filter((each) => !found.includes(each))
  if (lost.length > 0) return `${lost.slice(0, 5).join(', ')} is missing`
  if (found.length !== wanted.length) return 'a name in double brackets is repeated or new'
  const order = (list: readonly string[]) => list.filter((each) => tags.has(each)).join()
  if (order(wanted) !== order(found)) return 'names in double brackets that stand for tags are in another order'
  if (translated.includes(`[[${token}#`)) return 'it contains the number of a segment'
  const more = ADDED.find((mark) => translated.split(mark).length > original.split(mark).length)
  return more === undefined ? undefined : `it contains a '${more}' that the original does not have`
}

/** Markup that only the original may bring. */
const ADDED = ['<', '](', '![', '`']

function notKept({ token, originals }: Task, lost: readonly Numbered[]): ApiError {
  const values = lost.flatMap(({ text }) => placeholdersIn(text, token)).map((each) => originals.get(each) ?? '')
  const shown = [...new Set(values)].filter((value) => value !== '' && value.length <= 100 && !value.startsWith('<'))
  const named =
    shown.length > 0
      ? ` It contains ${shown
          .slice(0, 5)
          .map((value) => `'${value}'`)
          .join(', ')}.`
      : ''
  return new ApiError(
    424,
    `The model did not translate ${lost.length === 1 ? 'a passage' : `${lost.length} passages`} completely, with all values, names and tags ` +
      `exactly once, also when asked again.${named} Nothing of the translation is returned.`,
  )
}

function piecesOf(segments: readonly Numbered[]): Numbered[][] {
  const pieces: Numbered[][] = []
  let length = 0
  for (const segment of segments) {
    const last = pieces.at(-1)
    if (last && length + segment.text.length <= PIECE_LENGTH) last.push(segment)
    else {
      pieces.push([segment])
      length = 0
    }
    length += segment.text.length
  }
  return pieces
}
