import { sql } from 'kysely'
import { defineTask, type Job, type Outcome, TaskError } from '../../../background/task.ts'
import { signDetached } from '../../../domain/openpgp.ts'
import type { Context } from '../../../engine/context.ts'
import { toUrl } from '../../../engine/reference.ts'
import { counted } from '../../../formats/counted.ts'
import { COLUMNS } from '../../../formats/fields-csv.ts'
import type { ContentType } from '../../../formats/format.ts'
import { CONTENT_TYPES } from '../../../formats/formats.ts'
import { inPieces } from '../../../formats/pieces.ts'
import { asCaller } from '../../../identity/access/as-caller.ts'
import { takeSnapshot } from '../../../intelligence/by-query/snapshot.ts'
import { blobsOf, storeBlob } from '../../../intelligence/stored-blobs/store.ts'
import { blockOfRun, type StoredBlock, storeBlock } from '../../export-blocks/store.ts'
import { keptBack } from '../configuration.ts'
import { REPRESENTATIONS, seesUnified } from '../consolidation.ts'
import { requireFields } from '../fields.ts'
import { type ExportParameters, exportParameters } from '../payload.ts'
import { configurationFor, filenameOf, permissionsFor } from '../rules.ts'
import { wantedEntities } from '../selection.ts'
import { letterheadOf, shipmentOf } from '../shipment.ts'
import { signingKey } from '../signing-key.ts'
import { type LossReport, openLosses } from './losses.ts'

type ExportJob = Job<ExportParameters>

/** Exports entities to an export block. */
export const exportEntities = defineTask({
  type: 'export-entities',
  doc: 'Exports entities to a document that the user who started the run can download.',
  parameters: exportParameters,
  expireInSeconds: 12 * 3600,
  run: async (job) => {
    // An earlier attempt may have stored the block and crashed before it ended.
    const known = await blockOfRun(job, job.id)
    return outcomeOf(job, known ?? (await write(job)))
  },
})

async function write(job: ExportJob): Promise<StoredBlock> {
  const { content_type, content_configuration, sign, at = new Date().toISOString() } = job.parameters
  const type = CONTENT_TYPES.find(({ urn }) => urn === content_type)
  if (!type) throw new TaskError(`'${content_type}' is not a content type.`, { isFinal: true })
  const key = sign ? await signingKey(job) : null
  for (const line of keptBack(content_configuration)) job.log(line)
  const needed = permissionsFor(type, content_configuration)
  const document = await asCaller(job, needed, 'repeatable read', (ctx) => writeDocument(job, ctx, type, at))
  job.log(`Wrote ${document.entities} entities and ${document.relationships} relationships: ${document.size} bytes.`)
  const signature = key === null ? null : await signDetached(key, blobsOf(job).open(document.sha256))
  if (signature !== null) job.log('Signed the document with the key of the installation.')
  job.signal.throwIfAborted()
  return asCaller(job, needed, 'read committed', (ctx) =>
    storeBlock(ctx, {
      content_type,
      filename: filenameOf(type, at),
      run_id: job.id,
      sha256: document.sha256,
      items_count: document.entities,
      losses_count: document.lossesCount,
      losses: document.losses,
      signature,
    }),
  )
}

/** Reads everything in the transaction `ctx.db`, so that the document is consistent however long writing takes. */
async function writeDocument(job: ExportJob, ctx: Context, type: ContentType, at: string) {
  const { content_configuration, include_fields, base_url } = job.parameters
  const configuration = configurationFor(type, content_configuration)
  // Between two statements, the document is written to disk or to another server.
  await sql`set local idle_in_transaction_session_timeout = '10min'`.execute(ctx.db)
  if (type.needsFields) await requireFields(ctx, include_fields ?? [], COLUMNS)
  const inside = { ...ctx, baseUrl: base_url, at }
  if (await seesUnified(inside)) job.log(REPRESENTATIONS[configuration.consolidation])
  const found = await takeSnapshot(inside, await wantedEntities(inside, job.parameters))
  job.log(`Found ${found.count} entities.`)
  const letterhead = await letterheadOf(inside, base_url, at)
  const reading = {
    configuration,
    hasMemberships: type.needsFields,
    db: ctx.db,
    read: <T>(work: (ctx: Context) => Promise<T>) => work(inside),
  }
  const shipment = counted(shipmentOf(letterhead, found, reading), (entities) => {
    job.signal.throwIfAborted()
    job.progress(Math.min(0.99, entities / found.count))
  })
  using losses = openLosses(job)
  const writer = await type.write(include_fields ?? [])
  const { size, sha256 } = await storeBlob(job, watched(job, inPieces(writer(shipment, losses.lose)), losses))
  return { ...shipment.counts(), size, sha256, lossesCount: losses.count, losses: await losses.store() }
}

/** Stops with the run, and waits until reported losses are written, so that they do not pile up in memory. */
async function* watched({ signal }: ExportJob, pieces: AsyncIterable<Buffer>, losses: LossReport) {
  for await (const piece of pieces) {
    signal.throwIfAborted()
    yield piece
    await losses.settled()
  }
}

function outcomeOf(job: ExportJob, { id, filename, size, items_count, losses_count }: StoredBlock): Outcome {
  const url = toUrl(job.parameters.base_url, 'export_blocks', id)
  const result = { export_block: url, filename, size, entities: items_count, losses: losses_count }
  if (losses_count === 0) return { result }
  job.log(`The format cannot represent everything: ${losses_count} losses, listed at ${url}/losses.`)
  return { result, outcome: 'WARNING' }
}
