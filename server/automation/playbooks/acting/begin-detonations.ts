import { sql } from 'kysely'
import type { Context, Item } from '../../../engine/context.ts'
import { badRequest } from '../../../engine/errors.ts'
import { resourceOf, visible } from '../../../engine/select.ts'
import { readExclusions } from '../../../intelligence/exclusion-lists.ts'
import { isVisibleOne } from '../../../intelligence/observables/sight.ts'
import { type Asked, ask } from '../../detonators/detonations/ask.ts'
import { readRules, unusable, withheldBy } from '../../detonators/detonations/refusals.ts'
import { readOptions } from '../../detonators/detonations/request.ts'
import { readSamples, type SeenSample, sampleOfObservable } from '../../detonators/detonations/samples.ts'
import { adapterNamed } from '../../detonators/find-adapter.ts'
import { type StepContext, StepError, type Subject } from '../step.ts'

/** Of one object, so that a report with many attachments does not use up the limit of a day. */
const MAX_SAMPLES = 20

/** Samples for sandboxes that may have them. */
export interface Wanted {
  readonly asked: readonly Asked[]
  readonly warnings: readonly string[]
}

/** Decides which samples of the object the sandboxes may have, by consent, colour and exclusion lists of this moment. */
export async function wantDetonations(
  { ctx, subject }: StepContext,
  detonators: readonly number[],
  options: Item,
): Promise<Wanted> {
  const { samples, warnings } = await samplesOf(ctx, subject)
  const rules = [...(await readRules(ctx, detonators, ctx.caller.id)).values()]
  const refused = rules.flatMap((each) => unusable(ctx, each)?.details ?? [])
  const usable = rules.filter((each) => unusable(ctx, each) === undefined)
  if (usable.length === 0 && refused.length > 0) throw new StepError(refused.join(' '))
  const read = readOptions(ctx, usable, options)
  if (read.faults.length > 0) throw badRequest(read.faults)
  const exclusion = await readExclusions(ctx.db)
  const withheld: string[] = []
  const asked = usable.flatMap((each) =>
    samples.flatMap((sample): Asked[] => {
      if (!adapterNamed(ctx, each.adapter)?.supportedTypes.includes(sample.kind)) return []
      const reason = withheldBy(sample, each, exclusion)
      if (reason !== undefined) withheld.push(`A sample is not sent to '${each.name}'. ${reason}`)
      return reason === undefined ? [{ detonator: each.id, sample, options: read.byDetonator.get(each.id) ?? {} }] : []
    }),
  )
  return { asked, warnings: [...warnings, ...refused, ...new Set(withheld)] }
}

/** Asks for the samples, and returns the ids of the detonations. */
export const requestDetonations = ({ ctx }: StepContext, { asked }: Wanted): Promise<string[]> => ask(ctx, asked)

/** The file, the address or the content with the hash, or the attachments and the addresses of the entity. */
async function samplesOf(
  ctx: Context,
  { collection, id }: Subject,
): Promise<{ readonly samples: readonly SeenSample[]; readonly warnings: readonly string[] }> {
  if (collection === 'files') return { samples: await readSamples(ctx, { files: [Number(id)] }), warnings: [] }
  if (collection === 'observables') {
    const sample = await sampleOfObservable(ctx, Number(id))
    if (sample === undefined) return { samples: [], warnings: [] }
    return 'fault' in sample
      ? { samples: [], warnings: [`The observable ${sample.fault}.`] }
      : { samples: [sample], warnings: [] }
  }
  const { rows } = await sql<{ attachments: string[]; observables: number[] }>`
    select
      array(select l.target from entity_attachments as l where l.source = e.id order by l.target) as attachments,
      array(
        select o.id from entity_observables as l join observables as o on o.id = l.target
        where l.source = e.id and o.type = 'uri' and ${isVisibleOne(ctx, 'o')}
        order by o.id limit ${MAX_SAMPLES + 1}) as observables
    from entities as e
    where e.id = ${id}::uuid and ${visible(ctx, resourceOf(ctx, 'entities'), 'e')}`.execute(ctx.db)
  const found = await readSamples(ctx, rows[0] ?? {})
  const isTooMany = found.length > MAX_SAMPLES
  return {
    samples: found.slice(0, MAX_SAMPLES),
    warnings: isTooMany ? [`Only the first ${MAX_SAMPLES} attachments and addresses were considered.`] : [],
  }
}
