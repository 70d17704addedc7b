import { z } from 'zod'
import type { Exclusion } from '../../../domain/exclusions.ts'
import type { Context, Item } from '../../../engine/context.ts'
import { adapterNamed } from '../find-adapter.ts'
import type { Asked } from './ask.ts'
import { type Rules, withheldBy } from './refusals.ts'
import type { SeenSample } from './samples.ts'

/** Samples that a detonator must not receive or does not support. */
export const withheldSamples = z.object({
  detonator: z.int(),
  name: z.string(),
  reason: z.string(),
  count: z.int(),
})

interface Plan {
  readonly asked: readonly Asked[]
  readonly withheld: readonly z.output<typeof withheldSamples>[]
}

/** Decides which samples are asked of which detonators, and says why the others are not. */
export function planRequests(
  ctx: Pick<Context, 'sandboxes'>,
  detonators: readonly Rules[],
  samples: readonly SeenSample[],
  options: ReadonlyMap<number, Item>,
  exclusion: Exclusion,
): Plan {
  const asked: Asked[] = []
  const withheld = new Map<string, z.output<typeof withheldSamples>>()
  for (const rules of detonators) {
    for (const sample of samples) {
      const reason = unsupported(ctx, rules, sample) ?? withheldBy(sample, rules, exclusion)
      const key = `${rules.id} ${reason}`
      if (reason === undefined) asked.push({ detonator: rules.id, sample, options: options.get(rules.id) ?? {} })
      else {
        const count = 1 + (withheld.get(key)?.count ?? 0)
        withheld.set(key, { detonator: rules.id, name: rules.name, reason, count })
      }
    }
  }
  return { asked, withheld: [...withheld.values()] }
}

const unsupported = (
  ctx: Pick<Context, 'sandboxes'>,
  { adapter, name }: Rules,
  { kind }: SeenSample,
): string | undefined =>
  adapterNamed(ctx, adapter)?.supportedTypes.includes(kind) ? undefined : `'${name}' does not take a ${kind}.`
