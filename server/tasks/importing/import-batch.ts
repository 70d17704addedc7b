import { sql } from 'kysely'
import { observableOf } from '../../domain/observables/read.ts'
import { textList } from '../../engine/binary.ts'
import { ApiError, missing, refusal } from '../../engine/errors.ts'
import type { Context } from '../../engine/resource.ts'
import { NOBODY } from '../../engine/route.ts'
import { resourceOf } from '../../engine/select.ts'
import type { Finding } from '../../formats/finding.ts'
import { learnTheirWords } from '../../resources/entities/learn.ts'
import { asCaller } from '../as-caller.ts'
import type { Job } from '../task.ts'
import { defineTypes, NO_ROOM } from './define-types.ts'
import { type Draft, draftOf, type EntityFinding, type Given, type Refused } from './drafts.ts'
import { importEntities, type VersionedBy } from './import-entities.ts'
import { importObservables } from './import-observables.ts'
import { importRelationships } from './import-relationships.ts'
import { type Located, noteOutcomes, type Outcome } from './outcome.ts'
import { settleTaxonomies } from './settle-taxonomies.ts'

/** What an import is for, and how. */
export interface Import {
  readonly job: Job<unknown>
  readonly file: number
  readonly given: Given
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
}

const NEEDED = ['modify entities']

/** Reads the entities of a batch and learns their words: what can be done while another batch is stored. */
export async function prepare({ job, given }: Import, batch: Batch): Promise<Prepared> {
  if (batch.kind !== 'entity') return { ...batch, drafts: [], refused: [] }
  const ctx = { ...job, caller: NOBODY, baseUrl: '' }
  const resource = resourceOf(ctx, 'entities')
  const read = (batch.findings as Located<EntityFinding>[]).map((located) => draftOf(resource, located, given))
  const drafts = read.filter((each): each is Draft => 'item' in each)
  await learnTheirWords(
    ctx,
    drafts.map(({ item }) => item as never),
  )
  return { ...batch, drafts, refused: read.filter((each): each is Refused => 'faults' in each) }
}

/**
 * Stores a batch in one transaction, with what became of each of its findings. Where something in it is refused, halves of
 * it are tried, so that one bad object takes nothing with it.
 */
export async function store(parts: Import, batch: Prepared): Promise<void> {
  const { job, file } = parts
  job.signal.throwIfAborted()
  try {
    await asCaller(job, NEEDED, 'read committed', async (ctx) => {
      const outcomes = await outcomesOf(ctx, parts, batch)
      await linkFile(ctx, file, batch, outcomes)
      await noteOutcomes(ctx, { file, run: job.id }, inOrder(outcomes))
    })
  } catch (error) {
    const refused = refusal(error)
    if (!(refused instanceof ApiError) || refused.status >= 500 || refused.status === 403) throw error
    const halves = split(batch)
    if (halves) for (const half of halves) await store(parts, half)
    else await noteRefused(parts, batch, refused)
  }
}

async function outcomesOf(ctx: Context, { given }: Import, batch: Prepared): Promise<Outcome[]> {
  const { kind, findings, drafts, versionedBy } = batch
  if (kind === 'relationship') return importRelationships(ctx, only(findings, 'relationship'), given, versionedBy)
  if (kind === 'observable') {
    const all = only(findings, 'observable')
    return ctx.caller.permissions.has(OBSERVABLES) ? importObservables(ctx, all, given) : all.map(notAllowed)
  }
  if (kind === 'lost') return only(findings, 'lost').map(lostOutcome)
  const untyped = new Set(await defineTypes(ctx, drafts))
  const settled = await settleTaxonomies(
    ctx,
    drafts.filter((draft) => !untyped.has(draft)),
  )
  const refused = [
    ...batch.refused.map(({ located, faults }) => refusedOutcome(located, faults)),
    ...[...untyped].map(({ located }) => refusedOutcome(located, [NO_ROOM])),
  ]
  return settled.length === 0 ? refused : [...refused, ...(await importEntities(ctx, settled, versionedBy))]
}

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
  outcome: 'lost',
  stixId: finding.id,
  details: finding.losses,
})

const inOrder = (outcomes: readonly Outcome[]): Outcome[] => outcomes.toSorted((a, b) => a.position - b.position)

/** Says which entities a file is about, and which observables it names by themselves. */
async function linkFile(ctx: Context, file: number, { findings }: Batch, outcomes: readonly Outcome[]): Promise<void> {
  const entities = outcomes.filter(({ entity, outcome }) => entity !== undefined && outcome !== 'refused')
  if (entities.length > 0) {
    await sql`
      insert into file_entities (source, target, is_new)
      select distinct on (i.target) ${file}::integer, i.target, i.is_new
      from unnest(
        ${entities.map(({ entity }) => entity)}::uuid[],
        ${entities.map(({ outcome }) => outcome === 'created')}::boolean[]) as i(target, is_new)
      order by i.target, i.is_new desc
      on conflict do nothing`.execute(ctx.db)
  }
  const observables = only(findings, 'observable').flatMap(({ finding: { observable } }) => {
    const found = observableOf(observable.type, observable.value)
    return 'fault' in found ? [] : [found]
  })
  if (observables.length === 0) return
  await sql`
    insert into file_observables (source, target, is_new)
    select distinct ${file}::integer, o.id, o.created_at = now()
    from unnest(
      ${textList(observables.map(({ type }) => type))}::text[],
      ${textList(observables.map(({ value }) => value))}::text[]) as w(type, value)
    join observables as o on observable_key(o.value) = observable_key(w.value) and o.type = w.type
    on conflict do nothing`.execute(ctx.db)
}

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

async function noteRefused({ job, file }: Import, { findings }: Prepared, reason: ApiError): Promise<void> {
  const outcomes = findings.map(({ position, finding }): Outcome => {
    const stixId = finding.kind === 'entity' ? finding.entity.data.id : undefined
    const kind = finding.kind === 'lost' ? 'part' : finding.kind
    return { position, place: finding.at, kind, outcome: 'refused', stixId, details: reason.details }
  })
  await asCaller(job, NEEDED, 'read committed', (ctx) => noteOutcomes(ctx, { file, run: job.id }, outcomes))
}
