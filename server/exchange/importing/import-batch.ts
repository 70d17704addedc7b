import type { Job } from '../../background/task.ts'
import { ApiError, missing, refusal } from '../../engine/errors.ts'
import type { Context } from '../../engine/resource.ts'
import { NOBODY } from '../../engine/route.ts'
import { resourceOf } from '../../engine/select.ts'
import type { Finding } from '../../formats/finding.ts'
import type { Seeing } from '../../identity/access/sight.ts'
import { prepareSearch, type SearchPreparation } from '../../intelligence/entities/learn.ts'
import type { Server } from '../../server.ts'
import { countObservables } from './count-observables.ts'
import { defineTypes, NO_ROOM, ofNewTypes } from './define-types.ts'
import { type Draft, draftOf, type EntityFinding, type Given, type Refused } from './drafts.ts'
import { importEntities, type VersionedBy } from './import-entities.ts'
import { importObservables } from './import-observables.ts'
import { importRelationships } from './import-relationships.ts'
import { importWithdrawals } from './import-withdrawals.ts'
import { noteFindings } from './note-findings.ts'
import type { Located, Outcome } from './outcome.ts'
import { PLACEHOLDER_LIMIT, type Stored } from './placeholder-limit.ts'
import { setUnseenAside } from './set-unseen-aside.ts'
import { settleTaxonomies } from './settle-taxonomies.ts'

/** What an import is for, and how. */
export interface Import {
  readonly job: Server & Pick<Job, 'signal' | 'progress'>
  readonly given: Given
  /** Runs a transaction with the rights and the sight of who imports. */
  act<T>(run: (ctx: Context) => Promise<T>): Promise<T>
  /** Notes what became of findings, in the transaction that did it. */
  note(ctx: Context, outcomes: readonly Outcome[], findings: readonly Located[]): Promise<void>
  /** How many placeholders it may still make for what is neither in the document nor known. */
  readonly placeholders?: { left: number }
  /**
   * Where nothing of it will stay: it must not hold up others more than it has to, and is told as if there were nothing but what
   * this user sees.
   */
  readonly triedFor?: Seeing
}

/** Findings that are stored together: neighbours of one kind, no entity twice. */
export interface Batch {
  readonly kind: Finding['kind']
  readonly versionedBy: VersionedBy
  readonly findings: readonly Located[]
}

/** A batch that was read, ready to be stored. */
export interface Prepared extends Batch {
  readonly drafts: readonly Draft[]
  readonly refused: readonly Refused[]
  readonly search?: SearchPreparation
}

/** Reads the entities of a batch and learns their words: what can be done while another batch is stored. */
export async function prepare({ job, given }: Import, batch: Batch): Promise<Prepared> {
  if (batch.kind !== 'entity') return { ...batch, drafts: [], refused: [] }
  const ctx = { ...job, caller: NOBODY, baseUrl: '' }
  const resource = resourceOf(ctx, 'entities')
  const read = (batch.findings as Located<EntityFinding>[]).map((located) => draftOf(resource, located, given))
  const drafts = read.filter((each): each is Draft => 'item' in each)
  const search = await prepareSearch(
    ctx,
    drafts.map(({ item }) => item as never),
  )
  return { ...batch, drafts, search, refused: read.filter((each): each is Refused => 'faults' in each) }
}

/**
 * Stores a batch in one transaction, with what became of each of its findings. Where something in it is refused, halves of
 * it are tried, so that one bad object takes nothing with it.
 */
export async function store(parts: Import, batch: Prepared): Promise<void> {
  parts.job.signal.throwIfAborted()
  try {
    const made = await parts.act(async (ctx) => {
      const { outcomes, placeholders } = await outcomesOf(ctx, parts, batch)
      if (parts.given.contributor) await noteFindings(ctx, parts.given.contributor, batch.findings)
      await parts.note(ctx, inOrder(outcomes), batch.findings)
      return placeholders
    })
    if (parts.placeholders) parts.placeholders.left -= made
  } catch (error) {
    const refused = refusal(error)
    if (!(refused instanceof ApiError) || refused.status >= 500 || refused.status === 403) throw error
    const halves = split(batch)
    if (halves) for (const half of halves) await store(parts, half)
    else await noteRefused(parts, batch, refused)
  }
}

async function outcomesOf(ctx: Context, parts: Import, batch: Prepared): Promise<Stored> {
  const { given, triedFor, placeholders: { left } = { left: PLACEHOLDER_LIMIT } } = parts
  const { kind, findings, drafts, versionedBy, search } = batch
  if (triedFor) await setUnseenAside({ ...ctx, caller: triedFor }, findings)
  if (kind === 'relationship') return importRelationships(ctx, only(findings, 'relationship'), given, versionedBy, left)
  if (kind === 'observable') {
    const all = only(findings, 'observable')
    const mayWrite = ctx.caller.permissions.has(OBSERVABLES)
    const outcomes = mayWrite ? await importObservables(ctx, all, given, triedFor) : all.map(notAllowed)
    return { outcomes, placeholders: 0 }
  }
  if (kind === 'lost') return { outcomes: only(findings, 'lost').map(lostOutcome), placeholders: 0 }
  if (kind === 'withdrawn')
    return { outcomes: await importWithdrawals(ctx, only(findings, 'withdrawn'), given), placeholders: 0 }
  const untyped = new Set(triedFor ? await ofNewTypes(ctx, drafts) : await defineTypes(ctx, drafts))
  const settled = await settleTaxonomies(
    ctx,
    drafts.filter((draft) => !untyped.has(draft)),
  )
  const refused = [
    ...batch.refused.map(({ located, faults }) => refusedOutcome(located, faults)),
    ...[...untyped].map(({ located }) =>
      triedFor ? ({ ...refusedOutcome(located, []), ...TYPED_FIRST } as const) : refusedOutcome(located, [NO_ROOM]),
    ),
  ]
  if (settled.length === 0) return { outcomes: refused, placeholders: 0 }
  const counted = await countObservables(ctx, settled, triedFor)
  const { outcomes, placeholders } = await importEntities(ctx, settled, versionedBy, given, left, search)
  return { outcomes: [...refused, ...counted(outcomes)], placeholders }
}

/** Defining a type holds up whoever writes entities until the end of the transaction. */
const TYPED_FIRST = { outcome: 'created', notes: ['Its type is not defined yet, and would be.'] } as const

/** What it takes to write observables that belong to no entity. */
const OBSERVABLES = 'modify extracts'

const notAllowed = ({ position, finding }: Located): Outcome => ({
  position,
  place: finding.at,
  kind: 'observable',
  outcome: 'refused',
  details: [missing([OBSERVABLES]).message],
})

const refusedOutcome = ({ position, finding }: Located<EntityFinding>, faults: readonly string[]): Outcome => ({
  position,
  place: finding.at,
  kind: 'entity',
  outcome: 'refused',
  stixId: finding.entity.data.id,
  details: faults,
})

const only = <K extends Finding['kind']>(findings: readonly Located[], kind: K) =>
  findings.filter((each): each is Located<Extract<Finding, { kind: K }>> => each.finding.kind === kind)

const lostOutcome = ({ position, finding }: Located<Extract<Finding, { kind: 'lost' }>>): Outcome => ({
  position,
  place: finding.at,
  kind: 'part',
  stixId: finding.id,
  ...(finding.isOutdated
    ? { outcome: 'outdated', details: [], notes: finding.losses }
    : { outcome: 'lost', details: finding.losses }),
})

const inOrder = (outcomes: readonly Outcome[]): Outcome[] => outcomes.toSorted((a, b) => a.position - b.position)

function split(batch: Prepared): [Prepared, Prepared] | undefined {
  const { findings } = batch
  if (findings.length < 2) return undefined
  const middle = findings[findings.length >> 1]?.position ?? 0
  const part = (isIn: (located: Located) => boolean): Prepared => ({
    ...batch,
    findings: findings.filter(isIn),
    drafts: batch.drafts.filter(({ located }) => isIn(located)),
    refused: batch.refused.filter(({ located }) => isIn(located)),
  })
  return [part(({ position }) => position < middle), part(({ position }) => position >= middle)]
}

async function noteRefused({ act, note, given }: Import, { findings }: Prepared, reason: ApiError): Promise<void> {
  const outcomes = findings.map(({ position, finding }): Outcome => {
    const stixId = finding.kind === 'entity' ? finding.entity.data.id : undefined
    const kind = finding.kind === 'lost' || finding.kind === 'withdrawn' ? 'part' : finding.kind
    return { position, place: finding.at, kind, outcome: 'refused', stixId, details: reason.details }
  })
  await act(async (ctx) => {
    if (given.contributor) await noteFindings(ctx, given.contributor, findings)
    await note(ctx, outcomes, [])
  })
}
