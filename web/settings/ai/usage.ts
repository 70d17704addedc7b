import { featureName } from '../../ai/feature-names.ts'
import { providerName } from '../../ai/made.ts'

/** What was used by one kind of request. */
export interface Used {
  readonly requests: number
  readonly errors: number
  readonly prompt_tokens: number
  readonly answer_tokens: number
  readonly cost: number
}

export interface UsageRow extends Used {
  readonly month: string
  readonly user: string | null
  readonly username: string | null
  readonly feature: string
  readonly provider: string
  readonly model: string
}

export type Grouping = 'user' | 'feature' | 'provider' | 'model' | 'month'

/** The usage of one user, feature, provider, model or month. */
export interface UsageGroup extends Used {
  readonly name: string
}

const NOTHING: Used = { requests: 0, errors: 0, prompt_tokens: 0, answer_tokens: 0, cost: 0 }

export const sumOf = (rows: readonly Used[]): Used =>
  rows.reduce(
    (sum, row) => ({
      requests: sum.requests + row.requests,
      errors: sum.errors + row.errors,
      prompt_tokens: sum.prompt_tokens + row.prompt_tokens,
      answer_tokens: sum.answer_tokens + row.answer_tokens,
      cost: sum.cost + row.cost,
    }),
    NOTHING,
  )

export const tokensOf = ({ prompt_tokens, answer_tokens }: Used): number => prompt_tokens + answer_tokens

/** The rows added up; months in their order, everything else by tokens. */
export function groupUsage(
  rows: readonly UsageRow[],
  by: Grouping,
  nameOf: Record<Grouping, (row: UsageRow) => string>,
): UsageGroup[] {
  const groups = [...Map.groupBy(rows, nameOf[by])].map(([name, members]) => ({ name, ...sumOf(members) }))
  return by === 'month'
    ? groups.sort((a, b) => (a.name < b.name ? 1 : -1))
    : groups.sort((a, b) => tokensOf(b) - tokensOf(a) || a.name.localeCompare(b.name))
}

/** How rows are named. `others` are users that the reader may not see, and what belongs to no user. */
export const namesWith = (others: string): Record<Grouping, (row: UsageRow) => string> => ({
  user: ({ username, feature }) => username ?? (feature === 'passages' ? 'Corvus' : others),
  feature: ({ feature }) => featureName(feature),
  provider: ({ provider }) => providerName(provider),
  model: ({ model }) => model,
  month: ({ month }) => month,
})

/** The usage of a user at a provider with a budget. */
export interface BudgetUse {
  readonly user: string
  readonly provider: string
  readonly tokens: number
  readonly budget: number
}

/** How much of their budgets users have used, the most used first. */
export const budgetUses = (
  rows: readonly UsageRow[],
  budgets: ReadonlyMap<string, number>,
  nameOf: (row: UsageRow) => string,
): BudgetUse[] =>
  [...Map.groupBy(rows, (row) => JSON.stringify([nameOf(row), row.provider])).values()]
    .flatMap((members): BudgetUse[] => {
      const [first] = members
      const budget = first && budgets.get(first.provider)
      return first && budget !== undefined
        ? [{ user: nameOf(first), provider: first.provider, tokens: tokensOf(sumOf(members)), budget }]
        : []
    })
    .sort((a, b) => b.tokens / (b.budget || 1) - a.tokens / (a.budget || 1))

/** The last months, the newest first, such as `2026-11`. */
export const lastMonths = (now: Date, count: number): string[] =>
  Array.from({ length: count }, (_, i) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - i, 1)).toISOString().slice(0, 'YYYY-MM'.length),
  )
