import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import { faultsOf, messageOf } from '../../engine/body.ts'
import { badRequest } from '../../engine/errors.ts'
import type { Incoming, Route } from '../../engine/route.ts'
import type { Described } from '../../http/openapi/describe.ts'
import { readRecords, rulesOf } from '../asking/ready.ts'
import { PROVIDER_NAMES, providers } from '../providers.ts'
import { type Period, readOwnUsage, readUsage, type UsageRow } from './read-usage.ts'

const used = {
  requests: z.int(),
  errors: z.int(),
  prompt_tokens: z.number(),
  answer_tokens: z.number(),
  cost: z.number().describe('In the currency of the prices; of prices as they were when a request ended.'),
}
const row = z.object({
  month: z.string(),
  user: z.url().nullable().describe('Null for other users if you may not change the configuration.'),
  username: z.string().nullable(),
  feature: z.string(),
  provider: z.string(),
  model: z.string(),
  ...used,
})

const month = z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, 'must be a month such as 2026-11')
const period = z.object({ from: month.optional(), to: month.optional() })

const usageDoc: Described = {
  operationId: 'get_ai_usage',
  summary: 'What language models were asked, and what it cost: per month, user, feature, provider and model',
  tag: 'ai',
  query: [
    {
      name: 'from',
      schema: { type: 'string' },
      description: 'The first month, such as 2026-10. Default: the last month of the period.',
    },
    { name: 'to', schema: { type: 'string' }, description: 'The last month. Default: this month (UTC).' },
  ],
  success: { 200: z.object({ data: z.array(row) }) },
  refusals: [400],
}

const readAllUsage: Route<Period, UsageRow[]> = {
  method: 'GET',
  path: '/ai/usage',
  permission: 'read configurations',
  doc: usageDoc,
  parse: ({ query }) => periodIn(query),
  run: readUsage,
  answer: (data) => ({ status: 200, body: { data } }),
}

function periodIn(query: Incoming['query']): Period {
  const single = Object.entries(query).map(([name, values]) => [name, values.length === 1 ? values[0] : values])
  const read = period.safeParse(Object.fromEntries(single), { error: messageOf })
  if (!read.success) throw badRequest(faultsOf(read.error, []))
  const { to = monthNow(), from = to } = read.data
  if (from > to) throw badRequest('from: must not be after to')
  return { from, to }
}

const monthNow = () => new Date().toISOString().slice(0, 'YYYY-MM'.length)

const readUsageOfSelf = defineAction({
  name: 'get_own_ai_usage',
  doc: 'What you asked language models this month, and what is left of your budgets',
  tag: 'ai',
  method: 'GET',
  path: '/ai/usage/self',
  permission: null,
  result: z.object({
    month: z.string(),
    providers: z.array(
      z.object({
        provider: z.enum(PROVIDER_NAMES),
        ...used,
        budget: z.number().nullable().describe('Tokens of a month; null without a limit.'),
        remaining: z.number().nullable(),
      }),
    ),
  }),
  run: async (ctx) => {
    const month = monthNow()
    const [records, own] = await Promise.all([readRecords(ctx), readOwnUsage(ctx, month)])
    const shown = providers.map((provider) => {
      const { provider: _, ...sums } = own.find((each) => each.provider === provider.name) ?? { provider, ...NOTHING }
      const { budget } = rulesOf(records(provider.setting.name).value, provider)
      const remaining = budget === null ? null : Math.max(budget - sums.prompt_tokens - sums.answer_tokens, 0)
      return { provider: provider.name, ...sums, budget, remaining }
    })
    return { month, providers: shown.filter(({ requests, budget }) => requests > 0 || budget !== null) }
  },
})

const NOTHING = { requests: 0, errors: 0, prompt_tokens: 0, answer_tokens: 0, cost: 0 }

export const usageRoutes: readonly Route[] = [readAllUsage, readUsageOfSelf]
