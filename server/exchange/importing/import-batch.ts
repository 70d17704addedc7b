import { withAttacksInTexts } from '../../attack/classification/texts/classify-texts.ts'
import type { Job } from '../../background/task.ts'
import type { Context } from '../../engine/context.ts'
import { ApiError, missing, refusal } from '../../engine/errors.ts'
import { NOBODY } from '../../engine/route.ts'
import { resourceOf } from '../../engine/select.ts'
import type { Finding } from '../../formats/finding.ts'
import type { Seeing } from '../../identity/access/sight.ts'
import { prepareSearch, type SearchPreparation } from '../../intelligence/entities/search-preparation.ts'
import type { Server } from '../../server.ts'
import { classify } from './classify.ts'
import { countObservables } from './count-observables.ts'
import { createTaxonomies } from './create-taxonomies.ts'
import { defineTypes, TOO_MANY_TYPES, withUndefinedTypes } from './define-types.ts'
import { hideUnseen } from './hide-unseen.ts'
import { importEntities } from './import-entities.ts'
import { importObservables } from './import-observables.ts'
import { importRelationships } from './import-relationships.ts'
import { importWithdrawals } from './import-withdrawals.ts'
import { noteFindings } from './note-findings.ts'
import type { Located, Outcome } from './outcome.ts'
import {
  type EntityFinding,
  type ImportSettings,
  type ParsedEntity,
  parseEntity,
  type RefusedEntity,
} from './parse-entity.ts'
import { PLACEHOLDER_LIMIT, type Stored } from './placeholder-budget.ts'
import type { VersionedBy } from './version-order.ts'

/** An import: its settings, and how it writes and records outcomes. */
export interface Import {
  readonly job: Server & Pick<Job, 'signal' | 'progress'>
  readonly given: ImportSettings
  /** Runs a transaction with the permissions and the sight of the importer. */
  act<T>(run: (ctx: Context) => Promise<T>): Promise<T>
  /** Records the outcomes of findings, in the transaction that stores them. */
  note(ctx: Context, outcomes: readonly Outcome[], findings: readonly Located[]): Promise<void>
  /** How many more placeholders it may create. */
  readonly placeholders?: { left: number }
  /**
   * Set for a trial, which is rolled back: the user for whom it runs. It holds as few locks as possible, and its outcomes reveal only
   * what this user sees.
   */
  readonly triedFor?: Seeing
}

/** Consecutive findings of one kind that are stored together; no object occurs twice. */
export interface Batch {
  readonly kind: Finding['kind']
  readonly versionedBy: VersionedBy
  readonly findings: readonly Located[]
}

/** A validated batch, ready to be stored. */
export interface Prepared extends Batch {
  readonly parsed: readonly ParsedEntity[]
  readonly refused: readonly RefusedEntity[]
  readonly search?: SearchPreparation
}

/** Validates the entities of a batch and adds their words to the dictionary, while another batch is being stored. */
export async function prepare({ job, given }: Import, batch: Batch): Promise<Prepared> {
  if (batch.kind !== 'entity') return { ...batch, parsed: [], refused: [] }
  const ctx = { ...job, caller: NOBODY, baseUrl: '' }
  const resource = resourceOf(ctx, 'entities')
  const findings = await withAttacksInTexts(job, batch.findings as Located<EntityFinding>[])
  const read = findings.map((located) => parseEntity(resource, located, given))
  const parsed = read.filter((each): each is ParsedEntity => 'item' in each)
  // They are classified again when they are stored, because a framework may be loaded in the meantime.
  const classified = await classify(ctx, parsed)
  const search = await prepareSearch(
    ctx,
    classified.map(({ item }) => item as never),
  )
  return { ...batch, parsed, search, refused: read.filter((each): each is RefusedEntity => 'faults' in each) }
}

/**
 * Stores a batch and its outcomes in one transaction. If something in it is refused, its halves are tried separately, so that one
 * invalid object does not prevent the others from being stored.
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
  const { kind, findings, parsed, versionedBy, search } = batch
  if (triedFor) await hideUnseen({ ...ctx, caller: triedFor }, findings)
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
  const untyped = new Set(triedFor ? await withUndefinedTypes(ctx, parsed) : await defineTypes(ctx, parsed))
  const typed = parsed.filter((entity) => !untyped.has(entity))
  const entities = await createTaxonomies(ctx, await classify(ctx, typed))
  const refused = [
    ...batch.refused.map(({ located, faults }) => refusedOutcome(located, faults)),
    ...[...untyped].map(({ located }) =>
      triedFor
        ? ({ ...refusedOutcome(located, []), ...TYPED_FIRST } as const)
        : refusedOutcome(located, [TOO_MANY_TYPES]),
    ),
  ]
  if (entities.length === 0) return { outcomes: refused, placeholders: 0 }
  const counted = await countObservables(ctx, entities, triedFor)
  const { outcomes, placeholders } = await importEntities(ctx, entities, versionedBy, given, left, search)
  return { outcomes: [...refused, ...counted(outcomes)], placeholders }
}

/** A trial does not define types, because that blocks all writers of entities until the end of its transaction. */
const TYPED_FIRST = { outcome: 'created', notes: ['Its type is not defined yet. An import would define it.'] } as const

/** The permission to write observables that belong to no entity. */
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
    parsed: batch.parsed.filter(({ located }) => isIn(located)),
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
