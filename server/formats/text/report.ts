import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { normaliseObservable } from '../../domain/observables/normalise.ts'
import type { Finding, FoundAttachment, FoundObservable } from '../finding.ts'
import { madeId } from '../made-id.ts'
import { extractObservables } from './extract-observables.ts'

/** How much of a document its report keeps. */
export const REPORT_LIMITS = {
  title: 300,
  description: 200_000,
  /** The text that is looked through for observables. */
  searched: 8 * 1024 * 1024,
  /** How much of it at once. */
  part: 256 * 1024,
  observables: 10_000,
  /** The observables that are kept with the sentence they were found in. */
  extracts: 1_000,
}

/** What a document with text in it says. */
export interface Written {
  readonly bytes: Buffer
  /** What the file is called. */
  readonly name: string
  /** What it calls itself, the best first. */
  readonly titles: readonly (string | undefined)[]
  readonly text: string
  /** What stands before the text and is not looked through. */
  readonly preface?: string | undefined
  /** When it was written, as ISO 8601 has it. */
  readonly timestamp?: string | undefined
  /** Observables that are known of it beside its text. */
  readonly observables?: readonly (FoundObservable & { readonly context: string })[] | undefined
  readonly attachments?: readonly FoundAttachment[] | undefined
  readonly losses?: readonly string[] | undefined
  /** What people may want to know, and is no loss. */
  readonly notes?: readonly string[] | undefined
}

/** The one report that a document with text becomes, with what was found in it. */
export async function reportOf(written: Written): Promise<Finding> {
  const { bytes, attachments = [], timestamp, notes = [] } = written
  const losses = [...(written.losses ?? [])]
  const text = storable(written.text)
  const found = await observablesOf(written, text, losses)
  const whole = written.preface ? `${storable(written.preface)}\n${text}` : text
  const description = cut(whole, REPORT_LIMITS.description)
  if (description.length < whole.length) {
    losses.push(`description: the first ${description.length} of ${whole.length} characters are kept`)
  }
  const extracts = found.slice(0, REPORT_LIMITS.extracts)
  if (extracts.length < found.length) {
    losses.push(`extracts: the sentences of ${found.length - extracts.length} more observables are not kept`)
  }
  return {
    kind: 'entity',
    at: 'document',
    entity: {
      data: {
        type: 'report',
        id: madeId('report', createHash('sha256').update(bytes).digest('hex')),
        title: titleOf(written, text),
        description,
        ...(timestamp !== undefined && { timestamp }),
        ...(extracts.length > 0 && {
          extracts: extracts.map(({ type, value, context }) => ({ kind: type, value, context })),
        }),
      },
      observables: found.map(({ type, value }) => ({ type, value })),
      ...(attachments.length > 0 && { attachments }),
    },
    ...(losses.length > 0 && { losses }),
    ...(notes.length > 0 && { notes }),
  }
}

/** An observable that is known without being looked for in a text; undefined where the value is none of its type. */
export function knownObservable(
  type:
    | 'domain'
    | 'email'
    | 'email-subject'
    | 'file'
    | 'hash-md5'
    | 'hash-sha1'
    | 'hash-sha256'
    | 'host'
    | 'ipv4'
    | 'ipv6',
  value: string | undefined,
  context: string,
): (FoundObservable & { readonly context: string }) | undefined {
  const answer = value === undefined ? undefined : normaliseObservable(type, value.slice(0, 4_096))
  if (!answer || 'fault' in answer) return undefined
  return {
    type,
    value: answer.value,
    context: storable(context).replace(/\s+/g, ' ').trim().slice(0, 400).toWellFormed(),
  }
}

interface Named {
  readonly type: string
  readonly value: string
  readonly context: string
}

async function observablesOf({ observables = [] }: Written, text: string, losses: string[]): Promise<Named[]> {
  const searched = cut(text, REPORT_LIMITS.searched)
  if (searched.length < text.length) {
    losses.push(`observables: only the first ${searched.length} of ${text.length} characters were looked through`)
  }
  const most = REPORT_LIMITS.observables
  const byKey = new Map<string, Named>()
  const keep = (named: readonly Named[]) => {
    for (const one of named) if (!byKey.has(`${one.type} ${one.value}`)) byKey.set(`${one.type} ${one.value}`, one)
  }
  keep(observables)
  for (const part of partsOf(searched)) {
    keep(extractObservables(part))
    if (byKey.size > most) {
      losses.push(`observables: more than ${most} were found, the first ${most} are kept`)
      break
    }
    // Others who wait for this process come in between.
    await setImmediate()
  }
  return [...byKey.values()].slice(0, most)
}

/** A text in parts of whole lines, or of whole words where lines have no end. */
function* partsOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const limit = start + REPORT_LIMITS.part
    const breaks = ['\n', ' '].map((mark) => text.lastIndexOf(mark, limit)).find((at) => at > start)
    const end = limit >= text.length ? text.length : (breaks ?? limit)
    yield text.slice(start, end)
    start = end
  }
}

/** The best title that says anything: what the document calls itself, its first line, the name of the file. */
function titleOf({ titles, name }: Written, text: string): string {
  const firstLine = /\S[^\r\n]*/.exec(text)?.[0]
  const candidates = [...titles, firstLine, name.slice(name.lastIndexOf('/') + 1)]
  const lines = candidates.map((title) =>
    storable(title ?? '')
      .replace(/\s+/g, ' ')
      .trim(),
  )
  const [title = 'Document'] = lines.filter((line) => line !== '')
  return cut(title, REPORT_LIMITS.title)
}

/** The text without what no database can hold and nobody can see. */
const storable = (text: string): string => {
  const lines = text.toWellFormed().replace(/\r\n?/g, '\n')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return lines.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]+/g, '')
}

/** The beginning of a text, not in the middle of a character. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const isSplit = /[\ud800-\udbff]/.test(text.charAt(length - 1))
  return text.slice(0, isSplit ? length - 1 : length)
}
