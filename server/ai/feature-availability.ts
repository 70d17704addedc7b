import { z } from 'zod'
import { TLP } from '../domain/tlp.ts'
import { defineAction } from '../engine/action.ts'
import { readyFeatures } from './asking/ready.ts'
import { FEATURES } from './features.ts'
import { PROVIDER_NAMES } from './providers.ts'

const TYPE = 'feature-availability'
const perProvider = <T extends z.ZodType>(value: T) => z.partialRecord(z.enum(PROVIDER_NAMES), value)

/** The features that work for the caller, so that clients offer no others. */
export const readFeatureAvailability = defineAction({
  name: 'get_ai_features',
  doc: 'Get the features of language models that you can use, by their provider',
  tag: 'ai',
  method: 'GET',
  path: '/ai/features',
  permission: null,
  result: z.object({
    type: z.literal(TYPE),
    settings: perProvider(z.array(z.enum(FEATURES))),
    max_tlp: perProvider(z.enum(TLP)).describe('The most restricted TLP colour that each provider receives.'),
  }),
  run: async (ctx) => {
    const ready = ctx.caller.permissions.has('read configurations') ? await readyFeatures(ctx) : []
    const byProvider = Map.groupBy(ready, ({ provider }) => provider)
    return {
      type: TYPE,
      settings: Object.fromEntries(
        [...byProvider].map(([provider, features]) => [provider, features.map(({ feature }) => feature)]),
      ),
      max_tlp: Object.fromEntries([...byProvider].map(([provider, [first]]) => [provider, first?.ceiling])),
    }
  },
})
