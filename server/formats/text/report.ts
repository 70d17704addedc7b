import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { normaliseObservable } from '../../domain/observables/normalise.ts'
import type { Finding, FoundAttachment, FoundObservable } from '../finding.ts'
import { madeId } from '../made-id.ts'
import { findAttackIds } from './attack-ids.ts'
import { extractInParts, PART_LENGTH, partsOf } from './extract-in-parts.ts'
import { storable } from './storable.ts'

/** How much of a document its report keeps. */
export const REPORT_LIMITS = {
  title: 300,
  description: 200_000,
  /** Characters that are searched for observables. */
  searched: 8 * 1024 * 1024,
  /** Characters that are searched at once. */
  part: PART_LENGTH,
  observables: 10_000,
  /** Maximum number of observables kept with their sentence. */
  extracts: 1_000,
}

/** The contents of a text document. */
export interface Written {
  readonly bytes: Buffer
  /** The file name. */
  readonly name: string
  /** Title candidates, best first. */
  readonly titles: readonly (string | undefined)[]
  readonly text: string
  /** Text that precedes the body and is not searched. */
  readonly preface?: string | undefined
  /** When it was written, in ISO 8601. */
  readonly timestamp?: string | undefined
  /** Observables known from other parts than the text. */
  readonly observables?: readonly (FoundObservable & { readonly context: string })[] | undefined
  /** The targets of links to catalogues of techniques. */
  readonly techniques?: readonly string[] | undefined
  readonly attachments?: readonly FoundAttachment[] | undefined
  readonly losses?: readonly string[] | undefined
  /** Remarks for users that are not losses. */
  readonly notes?: readonly string[] | undefined
}

/** Creates the one report for a text document, with its observables. */
export async function reportOf(written: Written): Promise<Finding> {
  const { bytes, attachments = [], timestamp, notes = [] } = written
  const losses = [...(written.losses ?? [])]
  const text = storable(written.text)
  const found = await observablesOf(written, text, losses)
  const whole = written.preface ? `${storable(written.preface)}\n${text}` : text
  const attackIds = await attackIdsOf(written, text)
  const description = cut(whole, REPORT_LIMITS.description)
  if (description.length < whole.length) {
    losses.push(`description: only the first ${description.length} of ${whole.length} characters are kept`)
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
      ...(attackIds.length > 0 && { attackIds }),
      ...(attachments.length > 0 && { attachments }),
    },
    ...(losses.length > 0 && { losses }),
    ...(notes.length > 0 && { notes }),
  }
}

/** Normalises an observable that is known without searching; undefined if the value is not valid for its type. */
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
    losses.push(`observables: only the first ${searched.length} of ${text.length} characters were searched`)
  }
  const most = REPORT_LIMITS.observables
  const byKey = new Map<string, Named>()
  const keep = (named: readonly Named[]) => {
    for (const one of named) if (!byKey.has(`${one.type} ${one.value}`)) byKey.set(`${one.type} ${one.value}`, one)
  }
  keep(observables)
  keep(await extractInParts(searched, most))
  if (byKey.size > most) losses.push(`observables: more than ${most} were found; only the first ${most} are kept`)
  return [...byKey.values()].slice(0, most)
}

/** The ids of attack frameworks that the description does not have: in links, and where it is cut off. */
async function attackIdsOf({ techniques = [] }: Written, text: string): Promise<string[]> {
  const ids = new Set(techniques.flatMap(idsIn))
  if (text.length <= REPORT_LIMITS.description) return [...ids]
  for (const { part } of partsOf(cut(text, REPORT_LIMITS.searched))) {
    for (const id of idsIn(part)) ids.add(id)
    await setImmediate()
  }
  return [...ids]
}

const idsIn = (text: string): string[] => findAttackIds(text).map(({ id, tactic }) => (tactic ? `${tactic}:${id}` : id))

/** Returns the best non-empty title: a candidate, the first line, or the file name. */
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

/** Truncates a text without splitting a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const isSplit = /[\ud800-\udbff]/.test(text.charAt(length - 1))
  return text.slice(0, isSplit ? length - 1 : length)
}
